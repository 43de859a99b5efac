"""Section 6: Labyrinth and Yada under Hoard with two threads: false sharing, shown by padding."""

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtLeast, AtMost
from . import allocators, programs
from .allocators import GLIBC_2011, HOARD, TBB, TCMALLOC
from .shapes import by_threads, seconds

OTHERS = (GLIBC_2011, TBB, TCMALLOC)
APPLICATIONS = ("labyrinth", "yada")


def _gain(application, threads, allocator):
    """How many times as fast when each block has lines of its own."""
    return Ratio(
        seconds(programs.stamp(application, threads), allocator),
        seconds(programs.stamp(application, threads, pad=64), allocator),
    )


def _over(application, threads, other):
    program = programs.stamp(application, threads)
    return Ratio(seconds(program, HOARD), seconds(program, other))


YADAS_LOSS = tuple(
    Part(f"against {one.name}", _over("yada", 2, one), AtLeast(1.1)) for one in OTHERS
)

EXPERIMENT = Experiment(
    name="false-sharing",
    title="Labyrinth and Yada: blocks padded to lines of their own",
    grids=tuple(
        by_threads(
            f"{application}: speed with padded blocks, base: as they are",
            "ratio",
            lambda threads, one, application=application: _gain(application, threads, one),
            threads=(1, 2, 8),
        )
        for application in APPLICATIONS
    ),
    relations=(
        Relation(
            "Labyrinth with Hoard is faster when padded, as its loss was false sharing",
            (Part("2 threads", _gain("labyrinth", 2, HOARD), AtLeast(1.02)),),
        ),
        Relation(
            "Labyrinth with the others is not",
            tuple(Part(one.name, _gain("labyrinth", 2, one), AtMost(1.02)) for one in OTHERS),
        ),
        Relation("Yada with Hoard and two threads is slower than with the others", YADAS_LOSS),
        Relation(
            "Yada's loss there is no false sharing: padding does not help",
            (Part("2 threads", _gain("yada", 2, HOARD), AtMost(1.02)),),
            premise=YADAS_LOSS,
        ),
    ),
    notes=(
        "All blocks are padded, where the paper padded some of Labyrinth's.",
        allocators.NOTE,
        programs.STAMP_NOTE,
        programs.NOTE,
    ),
)
