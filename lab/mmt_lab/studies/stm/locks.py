"""Section 6: Intruder and Yada spend their time in Hoard's locks."""

from ...study.experiment import Cell, Experiment, Grid, Kind, Part, Relation, Run
from ...study.quantity import Measured, Ratio
from ...study.relation import AtLeast, BoundAtLeast
from . import allocators, programs
from .allocators import HOARD, TBB, TCMALLOC
from .false_sharing import YADAS_LOSS

SHOWN = (HOARD, TBB, TCMALLOC, allocators.JEMALLOC, allocators.MIMALLOC, allocators.OURS)
MORE = 1.25  # the paper has no number


def _share(application, threads, allocator):
    run = Run(Kind.SAMPLED, programs.stamp(application, threads), allocator)
    return Ratio(Measured(run, "allocator"), Measured(run, "sampled"))


def _grid(title, application, all_threads, papers=None):
    cells = {
        (programs.count_of(threads), one.name): Cell(
            _share(application, threads, one), (papers or {}).get((threads, one))
        )
        for threads in all_threads
        for one in SHOWN
    }
    rows = tuple(programs.count_of(one) for one in all_threads)
    return Grid(title, "share", "threads", rows, tuple(one.name for one in SHOWN), cells)


EXPERIMENT = Experiment(
    name="locks",
    title="Intruder and Yada: the share of time in the allocator, its locks included",
    grids=(
        _grid("Time in the allocator", "intruder", (1, 8), {(8, HOARD): 0.2}),
        _grid("Yada: time in the allocator", "yada", (1, 2)),
    ),
    relations=(
        Relation(
            "With Hoard and 8 threads about 20% of the time goes to its locks",
            (
                Part(
                    "at most its allocator's share",
                    _share("intruder", 8, HOARD),
                    BoundAtLeast(0.2),
                    0.2,
                    "share",
                ),
            ),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "Yada's loss with Hoard and two threads is time in its locks",
            (
                Part(
                    "Hoard's share with two threads over that with one",
                    Ratio(_share("yada", 2, HOARD), _share("yada", 1, HOARD)),
                    AtLeast(MORE),
                ),
            ),
            premise=YADAS_LOSS,
        ),
    ),
    notes=(
        "perf tells libraries apart, not a lock from the code around it: the share is a bound from above. "
        "If it is below the paper's, so are the locks; if it is not, nothing is decided.",
        f"Yada's locks are seen where its share grows by a second thread, at least {MORE:g} times.",
        programs.NOTE,
    ),
)
