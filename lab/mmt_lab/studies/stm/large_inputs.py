"""Yada, Intruder and Genome on STAMP's large inputs, as the paper has them, where that is asked for: they
take long."""

import dataclasses

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtLeast
from . import allocators, programs
from .allocators import GLIBC_2011, HOARD, TCMALLOC
from .settings import TINYSTM, in_setting
from .shapes import aborts, at_least, by_threads, caches, seconds

THREADS = (1, 8)
SHOWN = (GLIBC_2011, HOARD, TCMALLOC)
# {application: seconds of a run with one thread, about}
APPLICATIONS = {"genome": 12, "intruder": 25, "yada": 12}
YADA_PAPER = {(8, GLIBC_2011): 11.2, (8, HOARD): 5.4, (8, TCMALLOC): 4.1}
MISSED_PAPER = {GLIBC_2011: 0.157, HOARD: 0.0332}


def _large(application, threads):
    program = programs.stamp(application, threads)
    words = tuple("native" if word == "middle" else word for word in program.command)
    return dataclasses.replace(
        program, name=f"{program.name}, large input", command=words, short=(), short_seconds=0, paper=(),
        seconds=APPLICATIONS[application],
    )  # fmt: skip


def _grid(application, title, unit, quantity, papers=None):
    return by_threads(
        f"{application}, large input: {title}", unit,
        lambda threads, one: quantity(_large(application, threads), one),
        papers, SHOWN, THREADS,
    )  # fmt: skip


def _over(application, threads, worse, better):
    program = _large(application, threads)
    return Ratio(seconds(program, worse), seconds(program, better))


def _worst(application, threads, worst, others, limit=1.0):
    return tuple(
        at_least(f"{threads} threads, {worst.name} over {one.name}",
                 _over(application, threads, worst, one), limit)
        for one in others
    )


TIMES = Experiment(
    name="large-inputs",
    title="Genome, Intruder and Yada on STAMP's large inputs",
    grids=tuple(
        grid
        for one in APPLICATIONS
        for grid in (
            _grid(one, "time", "s", seconds, YADA_PAPER if one == "yada" else None),
            _grid(one, "aborts", "share", aborts),
        )
    ),
    relations=(
        Relation(
            "Genome is slower with Glibc where threads are few",
            _worst("genome", 1, GLIBC_2011, (HOARD, TCMALLOC), 1.02),
        ),
        Relation(
            "Intruder loses with Hoard and 8 threads",
            _worst("intruder", 8, HOARD, (GLIBC_2011, TCMALLOC)),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "Intruder is best with TCMalloc",
            tuple(_worst("intruder", 8, worse, (TCMALLOC,))[0] for worse in (GLIBC_2011, HOARD)),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "Yada is slowest with Glibc and 8 threads",
            _worst("yada", 8, GLIBC_2011, (HOARD, TCMALLOC), 1.2),
            reason=programs.LITTLE_WAITING,
        ),
    ),
    notes=(allocators.NOTE, programs.NOTE),
    by_name=True,
)  # fmt: skip


def _missed(allocator):
    program = _large("genome", 1)
    return Ratio(caches(program, allocator, "llc_misses"), caches(program, allocator, "l1_misses"))


MISSES = Experiment(
    name="large-locality",
    title="Genome on STAMP's large input: misses of the last-level cache, one thread",
    grids=(
        Grid(
            "Misses of the last-level cache, of its accesses", "share", "allocator",
            tuple(one.name for one in SHOWN), ("missed",),
            {(one.name, "missed"): Cell(_missed(one), MISSED_PAPER.get(one)) for one in SHOWN},
            chart_column="missed",
        ),
    ),
    relations=(
        Relation(
            "Glibc misses more often than Hoard",
            (
                Part("Glibc over Hoard", Ratio(_missed(GLIBC_2011), _missed(HOARD)), AtLeast(1.5),
                     0.157 / 0.0332),
            ),
        ),
    ),
    notes=(
        "Simulated by cachegrind with the paper's caches: 32 KiB, and the 6 MiB that two cores share.",
        allocators.NOTE,
        programs.STM_NOTE,
    ),
    by_name=True,
)  # fmt: skip

EXPERIMENTS = (TIMES, in_setting(TINYSTM, TIMES), MISSES)
