"""Table 6: memory that general-purpose allocators request from the system, at its highest."""

from ...study.experiment import Experiment, Kind, Part, Relation, Run
from ...study.quantity import Measured
from ...study.relation import AtMost
from . import allocators
from .programs import MEMORY_INTENSIVE
from .shapes import average_ratio, by_allocator

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


def _relation(claim, top, bottom, condition):
    ours, paper = average_ratio(MEMORY_INTENSIVE, allocators.ALL, measured, PAPER, top, bottom)
    label = f"{top.name} against {bottom.name}, average"
    return Relation(claim, (Part(label, ours, condition, paper),))


_COALESCED, _ = average_ratio(
    MEMORY_INTENSIVE, allocators.ALL, measured, PAPER,
    allocators.KINGSLEY_COALESCING, allocators.KINGSLEY_HEAP,
)  # fmt: skip
# Its footprint is so small that the paper leaves it out for a second average.
_LARGER = tuple(one for one in MEMORY_INTENSIVE if one.name != "roboop")


def _without_roboop(top, bottom):
    ours, paper = average_ratio(_LARGER, allocators.ALL, measured, PAPER, top, bottom)
    claim = f"Without roboop {top.name} needs little more memory than {bottom.name}"
    return Relation(claim, (Part("average", ours, AtMost(1.1), paper),))


EXPERIMENT = Experiment(
    name="table-6",
    title="Memory consumption for the general-purpose allocators",
    grids=(
        by_allocator(
            "Highest memory requested from the system",
            "bytes",
            MEMORY_INTENSIVE,
            allocators.ALL,
            measured,
            PAPER,
        ),
    ),
    relations=(
        _relation(
            "Kingsley composed of layers needs no more memory than Kingsley written by hand",
            allocators.KINGSLEY_HEAP,
            allocators.KINGSLEY,
            AtMost(1.05),
        ),
        _relation(
            "Coalescing saves memory",
            allocators.KINGSLEY_COALESCING,
            allocators.KINGSLEY_HEAP,
            AtMost(1.0),
        ),
        Relation(
            "It halves it, as the text says",
            (
                Part(
                    "KingsleyHeap + coal. against KingsleyHeap, average",
                    _COALESCED,
                    AtMost(0.6),
                    0.5,
                ),
            ),
        ),
        _relation(
            "It brings KingsleyHeap close to the Lea allocator",
            allocators.KINGSLEY_COALESCING,
            allocators.LEA,
            AtMost(1.25),
        ),
        *(
            _without_roboop(one, base)
            for one, base in (
                (allocators.KINGSLEY_HEAP, allocators.KINGSLEY),
                (allocators.LEA_HEAP, allocators.LEA),
            )
        ),
    ),
    notes=(
        allocators.NOTE,
        "The paper's text says that coalescing saves 50% on average; its table gives 30%, which is "
        "what stands beside ours.",
    ),
)
