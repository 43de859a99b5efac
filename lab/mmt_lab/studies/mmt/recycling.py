"""The slides' three designs: preallocation, and freed blocks that serve again at once."""

from ...experiment import SYSTEM, Experiment, Part, Relation
from ...relation import AtMost
from . import allocators, programs
from .shapes import normalised, over_base

BASE = allocators.LEA
PROTOCOLS = {"design 1": "preallocate", "design 2": "recycle-shared", "design 3": "recycle-sized"}


def _over(base):
    return {name: allocators.over(base, one, one) for name, one in PROTOCOLS.items()}


DESIGNS = _over(BASE)
# Of a block it tells the size without a lock.
WITHOUT_LOCK = _over(SYSTEM)
PAPER = {"design 1": 1 / 1.19}


def _helps(claim, designs, of):
    parts = tuple(
        Part(
            f"{name} against design 1",
            over_base(designs[name], designs["design 1"], of=of),
            AtMost(1.0),
        )
        for name in ("design 2", "design 3")
    )
    return Relation(claim, parts)


EXPERIMENT = Experiment(
    name="recycling",
    title="The slides' designs: wall time against the allocator alone",
    grids=(
        normalised("Wall time, base: Lea", BASE, DESIGNS, PAPER),
        normalised("Wall time, base: the C library", SYSTEM, WITHOUT_LOCK, {}, of=programs.WAITING),
    ),
    relations=(
        _helps("Freed blocks that serve again at once help", DESIGNS, programs.ALL),
        _helps(
            "They do over a library that tells a block's size without a lock",
            WITHOUT_LOCK,
            programs.WAITING,
        ),
    ),
    notes=(
        allocators.LEA_NOTE,
        programs.NOTE,
        "To serve a freed block again its size must be known, and only the library knows it: each "
        "free asks. Lea's and PHK's answer under the lock, which the memory thread holds most of the "
        "time; the C library's needs none. The second grid, a controlled experiment of ours, has "
        "the inputs of figure-7.",
        "The slides: 1.19 times faster on average by design 1, 1.25 at best, 1.60 with recycling.",
    ),
)
