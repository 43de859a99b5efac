"""Figure 1: how much of its time each program spends in its allocator."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Average, Ratio
from ...study.relation import AtLeast, AtMost
from . import allocators, programs
from .shapes import sampled

BASES = (allocators.LEA, allocators.PHK)
# "On average 30% of their execution time [...] when using GNU C library", for which it takes Lea's.
PAPER = {"Lea": 0.30}


def share(program, base):
    return Ratio(sampled(program, base, "allocator"), sampled(program, base, "sampled"))


def average(base):
    return Average(tuple(share(one, base) for one in programs.ALL))

(DELTABLUE,) = programs.among(programs.ALL, "deltablue")


def _cells():
    for base in BASES:
        for program in programs.ALL:
            yield (program.name, base.name), Cell(share(program, base))
        yield ("average", base.name), Cell(average(base), PAPER.get(base.name))


EXPERIMENT = Experiment(
    name="figure-1",
    title="Share of the run time spent in malloc, free and their kin",
    grids=(
        Grid(
            "Share of CPU time in the allocator",
            "share",
            "benchmark",
            (*(one.name for one in programs.ALL), "average"),
            tuple(one.name for one in BASES),
            dict(_cells()),
            chart_column="*",
        ),
    ),
    relations=(
        Relation(
            "The programs spend much of their time in the allocator",
            (Part("average, Lea", average(allocators.LEA), AtLeast(0.15), 0.30, "share"),),
        ),
        Relation(
            "Over PHK deltablue's share is no longer significant",
            (Part("deltablue, PHK", share(DELTABLUE, allocators.PHK), AtMost(0.05), None, "share"),),
        ),
        Relation(
            "Over PHK deltablue's share is lower than over Lea",
            (
                Part(
                    "deltablue, PHK against Lea",
                    Ratio(share(DELTABLUE, allocators.PHK), share(DELTABLUE, allocators.LEA)),
                    AtMost(1.0),
                ),
            ),
        ),
    ),
    notes=(
        "The paper's 30% is 'when using GNU C library', for which it takes Doug Lea's allocator (section "
        "V). Samples by library do not tell the allocator of today's glibc from the rest of it.",
        "By samples of the CPU clock, each 200 us of it, which perf takes; how it was measured the "
        "paper does not say. Counted is what falls into the allocator's own library; the kernel's time, "
        "which is mostly page faults at the first touch of new memory, counts as the program's.",
        "Asked for is half of the paper's share: that allocation matters, not that it matters as much. Not "
        "significant is at most 5%; either bound is ours. "
        "The paper's calls took about as long as an uncontended lock, 50 ns; figure-2 has what they take "
        "here, beside what lies between two.",
        allocators.LEA_NOTE,
        programs.NOTE,
    ),
)
