"""Table I: locks and semaphores, pthread's and minimal ones; and the machine they are of."""

import os

from ...machine import machine
from ...study.experiment import Cell, Experiment, Fact, Grid, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtMost, WithinFactor
from .figure_2 import primitive

ALONE, CONTENDED = "one thread", "two threads"
# Row: (the metric's name, the paper's seconds by one thread and by two).
ROWS = {
    "pthread lock": ("lock", (0.05e-6, 0.10e-6)),
    "minimal lock": ("minimal_lock", (0.02e-6, 0.06e-6)),
    "pthread semaphore": ("semaphore", (None, 0.17e-6)),
    "minimal semaphore": ("minimal_semaphore", (None, 0.07e-6)),
}
# In one direction; in both.
HANDED = {
    "a cache line": "line",
    "a request and its answer, by minimal semaphores": "request",
    "a request and its answer, by pthread semaphores": "pthread_request",
}


def _cells():
    for row, (name, (alone, contended)) in ROWS.items():
        yield (row, ALONE), Cell(primitive(name), alone)
        yield (row, CONTENDED), Cell(primitive(f"{name}_contended"), contended)


def _part(what, suffix):
    metric, minimal = f"{what}{suffix}", f"minimal_{what}{suffix}"
    column = 1 if suffix else 0
    papers = [ROWS[f"{kind} {what}"][1][column] for kind in ("minimal", "pthread")]
    paper = None if None in papers else papers[0] / papers[1]
    label = f"{what}, {CONTENDED if suffix else ALONE}"
    return Part(label, Ratio(primitive(minimal), primitive(metric)), AtMost(0.61), paper)


def _contention(row):
    """Two threads against one."""
    metric, (alone, contended) = ROWS[row]
    paper = contended / alone
    ratio = Ratio(primitive(f"{metric}_contended"), primitive(metric))
    return Part(row, ratio, WithinFactor(1.5, paper), paper)


SEMAPHORE_OVER_LOCK = ROWS["pthread semaphore"][1][1] / ROWS["pthread lock"][1][1]

HERE = (
    Fact("processor", machine.processor(), "2.4 GHz Intel Core 2 Quad"),
    Fact("cores", str(os.cpu_count()), "4"),
    Fact(
        "caches",
        machine.caches(),
        "small private L1 instruction and data caches, an L2 of 4 MiB that the cores share",
    ),
    Fact("kernel", machine.kernel(), "Linux 2.6.18"),
    Fact("compiler", "the 'compiler' of the machine's line above, -O2", "GCC 4.1.2, -O3"),
    Fact("threads", os.confstr("CS_GNU_LIBPTHREAD_VERSION") or "unknown", "pthread 2.5"),
)

EXPERIMENT = Experiment(
    name="table-1",
    title="Latency of pthread's and of minimal synchronisation primitives, and the machine",
    grids=(
        Grid(
            "Nanoseconds a pair: lock and unlock, signal and wait",
            "ns",
            "primitive",
            tuple(ROWS),
            (ALONE, CONTENDED),
            dict(_cells()),
        ),
        Grid(
            "Nanoseconds to hand something to another core",
            "ns",
            "what",
            tuple(HANDED),
            ("here",),
            {(what, "here"): Cell(primitive(metric)) for what, metric in HANDED.items()},
        ),
    ),
    relations=(
        Relation(
            "Minimal primitives take 39 to 60% less time",
            (
                _part("lock", ""),
                _part("lock", "_contended"),
                _part("semaphore", "_contended"),
            ),
        ),
        Relation(
            "A second thread makes pthread's lock take twice as long, and a minimal one three times",
            (_contention("pthread lock"), _contention("minimal lock")),
        ),
        Relation(
            "Between two threads a semaphore takes 1.7 times as long as a lock",
            (
                Part(
                    "pthread semaphore against pthread lock",
                    Ratio(primitive("semaphore_contended"), primitive("lock_contended")),
                    WithinFactor(1.5, SEMAPHORE_OVER_LOCK),
                    SEMAPHORE_OVER_LOCK,
                ),
            ),
        ),
    ),
    facts=HERE,
    notes=(
        "By two threads: both lock; one signals, the other waits. Each thread has a CPU of its own.",
        "pthread's semaphores put who waits to sleep, and by them a request and its answer take two "
        "wake-ups. No design pays that: design 3's memory thread polls its semaphore, and what sleeps "
        "there is who finds the lock before the library taken (figure-8).",
        "What a line costs may change from round to round: the host of a virtual machine moves its "
        "CPUs about.",
    ),
)
