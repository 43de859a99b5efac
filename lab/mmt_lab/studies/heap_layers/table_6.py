"""Table 6: memory that general-purpose allocators request from the system, at its highest."""

from ...study.experiment import Experiment, Kind, Relation, Run
from ...study.quantity import Highest, Lowest, Measured
from ...study.relation import AtLeast, AtMost, Between
from . import allocators
from .programs import MEMORY_INTENSIVE
from .shapes import by_allocator
from .table import Table

# Bytes, in the order of allocators.ALL.
PAPER = {
    "cfrac": (270_336, 280_640, 271_944, 208_896, 241_272),
    "espresso": (974_848, 992_032, 541_696, 462_848, 448_808),
    "lindsay": (2_158_592, 2_120_752, 1_510_688, 1_515_520, 1_506_720),
    "lrusim": (2_555_904, 2_832_272, 1_887_512, 1_585_152, 1_887_440),
    "perl": (425_984, 454_024, 342_344, 331_776, 337_408),
    "roboop": (45_056, 20_760, 11_440, 20_480, 11_616),
}


def measured(program, allocator):
    return Measured(Run(Kind.REQUESTED, program, allocator), "requested")


TABLE = Table(MEMORY_INTENSIVE, allocators.ALL, measured, PAPER)
# Its footprint is so small that the paper leaves it out for a second average.
OUTLIER = "roboop"
LARGER = TABLE.without(OUTLIER)

_COMPOSED = (allocators.KINGSLEY_HEAP, allocators.KINGSLEY)
_LEA_COMPOSED = (allocators.LEA_HEAP, allocators.LEA)
_COALESCED = (allocators.KINGSLEY_COALESCING, allocators.KINGSLEY_HEAP)
_NOT_COALESCED = _COALESCED[::-1]
_STAND_INS = "the programs are stand-ins; in four of six of them coalescing saves next to nothing"


def _without_outlier(top, bottom, reason=""):
    claim = f"Without roboop {top.name} needs little more memory than {bottom.name}"
    return Relation(claim, (LARGER.average(top, bottom, AtMost(1.1)),), reason=reason)


def _of_outlier(top, bottom):
    label = f"{top.name} against {bottom.name}"
    return TABLE.only(OUTLIER).each(top, bottom, AtMost(0.6), label)


EXPERIMENT = Experiment(
    name="table-6",
    title="Memory consumption for the general-purpose allocators",
    grids=(by_allocator("Highest memory requested from the system", "bytes", TABLE),),
    relations=(
        Relation(
            "Kingsley composed of layers needs no more memory than Kingsley written by hand",
            (TABLE.average(*_COMPOSED, AtMost(1.0)),),
        ),
        Relation(
            "In each program it needs between 54% less and 11% more",
            TABLE.each(*_COMPOSED, Between(0.46, 1.11)),
        ),
        Relation(
            "roboop, the smallest, exaggerates what layers save",
            (*_of_outlier(*_COMPOSED), *_of_outlier(*_LEA_COMPOSED)),
            reason=allocators.STEP_BEYOND_ROBOOP,
        ),
        Relation("Coalescing saves memory", (TABLE.average(*_COALESCED, AtMost(1.0)),)),
        Relation(
            "Without coalescing KingsleyHeap needs half as much memory again",
            (TABLE.average(*_NOT_COALESCED, AtLeast(1.4)),),
            reason=_STAND_INS,
        ),
        Relation(
            "In each program that is at least 3% more, in one as much as 80%",
            (
                TABLE.over_programs("the least", Lowest, *_NOT_COALESCED, AtLeast(1.03)),
                TABLE.over_programs("the most", Highest, *_NOT_COALESCED, AtLeast(1.6)),
            ),
            reason=_STAND_INS,
        ),
        Relation(
            "Without roboop coalescing brings KingsleyHeap close to the Lea allocator",
            (LARGER.average(allocators.KINGSLEY_COALESCING, allocators.LEA, AtMost(1.25)),),
        ),
        _without_outlier(*_COMPOSED),
        _without_outlier(*_LEA_COMPOSED, allocators.EQUAL_STEPS),
    ),
    notes=(
        allocators.NOTE,
        f"{allocators.EQUAL_STEPS}.",
        "By the paper's text coalescing saves 50% on average, 3% to 80%. In its table that is what "
        "KingsleyHeap needs above the coalesced heap (48%, 3% to 83%).",
    ),
)
