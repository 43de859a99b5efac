"""Table 5: run time of the memory-intensive benchmarks on general-purpose allocators."""

from ...study.experiment import Experiment, Kind, Part, Relation, Run
from ...study.quantity import Measured, Ratio
from ...study.relation import AtLeast, AtMost
from . import allocators
from .programs import MEMORY_INTENSIVE
from .shapes import average_ratio, by_allocator

# Seconds on a 366 MHz Pentium II, in the order of allocators.ALL.
PAPER = {
    "cfrac": (19.02, 19.75, 25.94, 19.09, 20.14),
    "espresso": (40.66, 40.91, 44.56, 41.12, 46.33),
    "lindsay": (3.05, 3.04, 3.16, 3.01, 3.03),
    "lrusim": (836.67, 827.10, 826.44, 831.98, 828.36),
    "perl": (66.94, 70.01, 73.61, 66.32, 68.60),
    "roboop": (10.81, 11.19, 17.89, 10.89, 13.08),
}


def measured(program, allocator):
    return Measured(Run(Kind.TIMED, program, allocator), "cpu")


def _relation(claim, top, bottom, condition):
    ours, paper = average_ratio(MEMORY_INTENSIVE, allocators.ALL, measured, PAPER, top, bottom)
    label = f"{top.name} against {bottom.name}, average"
    return Relation(claim, (Part(label, ours, condition, paper),))


INTENSIVE = tuple(one for one in MEMORY_INTENSIVE if one.name in ("cfrac", "roboop"))


def _in_each(claim, top, bottom, condition):
    """The same of the two programs that allocate most, one by one."""
    at, base = allocators.ALL.index(top), allocators.ALL.index(bottom)
    parts = tuple(
        Part(
            one.name,
            Ratio(measured(one, top), measured(one, bottom)),
            condition,
            PAPER[one.name][at] / PAPER[one.name][base],
        )
        for one in INTENSIVE
    )
    return Relation(claim, parts)


EXPERIMENT = Experiment(
    name="table-5",
    title="Run time for the general-purpose allocators",
    grids=(
        by_allocator(
            "User and system time", "s", MEMORY_INTENSIVE, allocators.ALL, measured, PAPER
        ),
    ),
    relations=(
        _relation(
            "Kingsley composed of layers is as fast as Kingsley written by hand",
            allocators.KINGSLEY_HEAP,
            allocators.KINGSLEY,
            AtMost(1.02),
        ),
        _relation(
            "Coalescing costs time",
            allocators.KINGSLEY_COALESCING,
            allocators.KINGSLEY_HEAP,
            AtLeast(1.0),
        ),
        _in_each(
            "Also where most is allocated the layers of Kingsley cost little",
            allocators.KINGSLEY_HEAP,
            allocators.KINGSLEY,
            AtMost(1.05),
        ),
        _in_each(
            "There coalescing costs much",
            allocators.KINGSLEY_COALESCING,
            allocators.KINGSLEY_HEAP,
            AtLeast(1.1),
        ),
    ),
    notes=(allocators.NOTE, "The paper's machine was a 366 MHz Pentium II: compare ratios."),
)
