"""Figure 6: run time and memory of general-purpose allocators, normalised to Lea's. The runs are
those of Tables 5 and 6.
"""

from ...study.experiment import Experiment, Relation
from ...study.quantity import Average, Lowest
from ...study.relation import AtLeast, AtMost, Between
from . import allocators, table_5, table_6
from .allocators import EQUAL_STEPS, KINGSLEY, KINGSLEY_COALESCING, KINGSLEY_HEAP, LEA, LEA_HEAP, LEA_OF_TODAY
from .shapes import normalised

TIME, MEMORY = table_5.TABLE, table_6.TABLE
MUCH = AtLeast(1.25)


def _average(table, top, bottom, condition, label="average over programs"):
    return table.over_programs(label, Average, top, bottom, condition)


TIMES = (
    Relation(
        "LeaHeap takes little more time than the Lea allocator",
        (_average(TIME, LEA_HEAP, LEA, AtMost(1.1)),),
    ),
    Relation(
        "LeaHeap is slower than the Lea allocator",
        (_average(TIME, LEA_HEAP, LEA, AtLeast(1.0)),),
        reason=LEA_OF_TODAY,
    ),
    Relation(
        "In no program LeaHeap takes more than 20% more time",
        TIME.each(LEA_HEAP, LEA, AtMost(1.205)),
    ),
    Relation(
        "In none it is more than 1/2% faster",
        (TIME.over_programs("the least", Lowest, LEA_HEAP, LEA, AtLeast(0.995)),),
        reason=LEA_OF_TODAY,
    ),
    Relation(
        "LeaHeap is slower than KingsleyHeap",
        (_average(TIME, LEA_HEAP, KINGSLEY_HEAP, AtLeast(1.0)),),
    ),
    Relation(
        "Where most is allocated KingsleyHeap that coalesces is slower than the Lea allocator",
        TIME.only(*table_5.INTENSIVE).each(KINGSLEY_COALESCING, LEA, AtLeast(1.1)),
        reason=LEA_OF_TODAY,
    ),
)
MEMORIES = (
    Relation(
        "LeaHeap asks for no more memory than the Lea allocator",
        (_average(MEMORY, LEA_HEAP, LEA, AtMost(1.0)),),
        reason=EQUAL_STEPS,
    ),
    Relation(
        "In each program it asks for between 44% less and 19% more",
        MEMORY.each(LEA_HEAP, LEA, Between(0.56, 1.195)),
        reason=EQUAL_STEPS,
    ),
    Relation(
        "Kingsley asks for far more memory than the Lea allocator",
        (
            _average(MEMORY, KINGSLEY, LEA, MUCH),
            _average(table_6.LARGER, KINGSLEY, LEA, MUCH, "without roboop"),
        ),
        reason=allocators.STEP_BEYOND_ROBOOP,
    ),
    Relation(
        "KingsleyHeap asks for far more than LeaHeap",
        (_average(table_6.LARGER, KINGSLEY_HEAP, LEA_HEAP, MUCH, "without roboop"),),
    ),
)

EXPERIMENT = Experiment(
    name="figure-6",
    title="Run time and memory of general-purpose allocators, normalised to Lea",
    grids=(
        normalised("(a) user and system time, Lea = 1", TIME, LEA),
        normalised("(b) memory requested from the system, Lea = 1", MEMORY, LEA),
    ),
    relations=TIMES + MEMORIES,
    notes=(allocators.NOTE, f"{EQUAL_STEPS}."),
)
