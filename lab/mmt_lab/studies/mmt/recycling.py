"""The slides' three designs: preallocation, and freed blocks that serve again at once."""

from ...experiment import Experiment, Part, Relation
from ...relation import AtMost
from . import allocators, programs
from .shapes import normalised, over_base

BASE = allocators.LEA
DESIGNS = {
    "design 1": allocators.over(BASE, "preallocate", "preallocate"),
    "design 2": allocators.over(BASE, "recycle-shared", "recycle-shared"),
    "design 3": allocators.over(BASE, "recycle-sized", "recycle-sized"),
}
PAPER = {"design 1": 1 / 1.19}

EXPERIMENT = Experiment(
    name="recycling",
    title="The slides' designs: wall time against the allocator alone",
    grids=(normalised("Wall time, base: Lea", BASE, DESIGNS, PAPER),),
    relations=(
        Relation(
            "Freed blocks that serve again at once help",
            tuple(
                Part(
                    f"{name} against design 1",
                    over_base(DESIGNS[name], DESIGNS["design 1"]),
                    AtMost(1.0),
                )
                for name in ("design 2", "design 3")
            ),
        ),
    ),
    notes=(
        allocators.LEA_NOTE,
        programs.NOTE,
        "The slides: 1.19 times faster on average by design 1, 1.25 at best, 1.60 with recycling.",
    ),
)
