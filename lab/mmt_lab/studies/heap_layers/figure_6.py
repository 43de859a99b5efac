"""Figure 6: run time and memory of general-purpose allocators, normalised to Lea's. The runs are
those of Tables 5 and 6.
"""

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import Ratio
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


def _in_each(claim, table, limit):
    """LeaHeap over Lea, program by program."""
    at, base = (allocators.ALL.index(one) for one in (allocators.LEA_HEAP, allocators.LEA))
    parts = tuple(
        Part(
            one.name,
            Ratio(table.measured(one, allocators.LEA_HEAP), table.measured(one, allocators.LEA)),
            AtMost(limit),
            table.PAPER[one.name][at] / table.PAPER[one.name][base],
        )
        for one in MEMORY_INTENSIVE
    )
    return Relation(claim, parts)


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
        _in_each("In no program LeaHeap takes more than 20% more time", table_5, 1.2),
        _in_each("In none it asks for more than 19% more memory", table_6, 1.19),
    ),
    notes=(allocators.NOTE,),
)
