"""Figure 6: run time and memory of general-purpose allocators, normalised to Lea's. The runs are
those of Tables 5 and 6.
"""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtMost
from . import allocators, table_5, table_6
from .programs import MEMORY_INTENSIVE
from .shapes import average_ratio, normalised

_ALL = (MEMORY_INTENSIVE, allocators.ALL)


def _relation(claim, table, limit):
    ours, paper = average_ratio(
        *_ALL, table.measured, table.PAPER, allocators.LEA_HEAP, allocators.LEA
    )
    return Relation(claim, (Part("average over programs", ours, AtMost(limit), paper),))


EXPERIMENT = Experiment(
    name="figure-6",
    title="Run time and memory of general-purpose allocators, normalised to Lea",
    grids=(
        normalised(
            "(a) user and system time, Lea = 1",
            *_ALL,
            table_5.measured,
            table_5.PAPER,
            allocators.LEA,
        ),
        normalised(
            "(b) memory requested from the system, Lea = 1",
            *_ALL,
            table_6.measured,
            table_6.PAPER,
            allocators.LEA,
        ),
    ),
    relations=(
        _relation("LeaHeap takes little more time than the Lea allocator", table_5, 1.05),
        _relation("LeaHeap asks for about the memory of the Lea allocator", table_6, 1.05),
    ),
    notes=(allocators.NOTE,),
)
