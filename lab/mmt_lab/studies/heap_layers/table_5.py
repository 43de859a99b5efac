"""Table 5: run time of the memory-intensive benchmarks on general-purpose allocators."""

from ...study.experiment import Experiment, Kind, Relation, Run
from ...study.quantity import Measured
from ...study.relation import AtLeast, AtMost
from . import allocators
from .programs import MEMORY_INTENSIVE
from .shapes import by_allocator
from .table import Table

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


TABLE = Table(MEMORY_INTENSIVE, allocators.ALL, measured, PAPER)
# "The two extremely allocation-intensive benchmarks."
INTENSIVE = ("cfrac", "roboop")

_COMPOSED = (allocators.KINGSLEY_HEAP, allocators.KINGSLEY)
_COALESCED = (allocators.KINGSLEY_COALESCING, allocators.KINGSLEY_HEAP)

EXPERIMENT = Experiment(
    name="table-5",
    title="Run time for the general-purpose allocators",
    grids=(by_allocator("User and system time", "s", TABLE),),
    relations=(
        Relation(
            "Kingsley composed of layers is as fast as Kingsley written by hand",
            (TABLE.average(*_COMPOSED, AtMost(1.02)),),
        ),
        Relation("Coalescing costs time", (TABLE.average(*_COALESCED, AtLeast(1.0)),)),
        Relation(
            "Also where most is allocated the layers of Kingsley cost little",
            TABLE.only(*INTENSIVE).each(*_COMPOSED, AtMost(1.05)),
        ),
        Relation("There coalescing costs much", TABLE.only(*INTENSIVE).each(*_COALESCED, AtLeast(1.1))),
        Relation("Elsewhere it costs little", TABLE.without(*INTENSIVE).each(*_COALESCED, AtMost(1.1))),
    ),
    notes=(allocators.NOTE, "The paper's machine was a 366 MHz Pentium II: compare ratios."),
)
