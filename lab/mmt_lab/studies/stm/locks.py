"""Section 6: Intruder spends its time in Hoard's locks."""

from ...study.experiment import Cell, Experiment, Grid, Kind, Part, Relation, Run
from ...study.quantity import Measured, Ratio
from ...study.relation import BoundAtLeast
from . import allocators, programs
from .allocators import HOARD, TBB, TCMALLOC

THREADS = (1, 8)
SHOWN = (HOARD, TBB, TCMALLOC, allocators.JEMALLOC, allocators.MIMALLOC, allocators.OURS)


def _share(threads, allocator):
    run = Run(Kind.SAMPLED, programs.stamp("intruder", threads), allocator)
    return Ratio(Measured(run, "allocator"), Measured(run, "sampled"))


EXPERIMENT = Experiment(
    name="locks",
    title="Intruder: the share of time in the allocator, its locks included",
    grids=(
        Grid(
            "Time in the allocator",
            "share",
            "threads",
            tuple(programs.count_of(one) for one in THREADS),
            tuple(one.name for one in SHOWN),
            {
                (programs.count_of(threads), one.name): Cell(
                    _share(threads, one), 0.2 if (threads, one) == (8, HOARD) else None
                )
                for threads in THREADS
                for one in SHOWN
            },
        ),
    ),
    relations=(
        Relation(
            "With Hoard and 8 threads about 20% of the time goes to its locks",
            (
                Part(
                    "at most its allocator's share", _share(8, HOARD), BoundAtLeast(0.2), 0.2, "share"
                ),
            ),
            reason=programs.LITTLE_WAITING,
        ),
    ),
    notes=(
        "perf tells libraries apart, not a lock from the code around it: the share is a bound from above. "
        "If it is below the paper's, so are the locks; if it is not, nothing is decided.",
        programs.NOTE,
    ),
)
