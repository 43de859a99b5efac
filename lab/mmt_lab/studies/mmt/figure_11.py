"""Figure 11: what PHK's checks cost, in line and behind a memory thread."""

from ...experiment import Experiment, Part, Relation
from ...relation import AtMost
from . import allocators, programs
from .shapes import normalised, over_base

BASE = allocators.PHK
DESIGNS = {
    "in line": allocators.checked(BASE),
    "preallocate": allocators.checked(allocators.over(BASE, "preallocate", "preallocate")),
    "ours": allocators.checked(allocators.over(BASE, "mmt", "mmt")),
}
PAPER = {"in line": 1.21, "preallocate": 1.01}

EXPERIMENT = Experiment(
    name="figure-11",
    title="PHK with its checks on: wall time against PHK without, in line",
    grids=(normalised("Wall time, base: PHK without checks", BASE, DESIGNS, PAPER),),
    relations=(
        Relation(
            "A memory thread hides what the checks cost",
            tuple(
                Part(name, over_base(DESIGNS[name], BASE), AtMost(1.01), PAPER.get(name))
                for name in ("preallocate", "ours")
            ),
        ),
    ),
    notes=(
        programs.NOTE,
        "Checks: MALLOC_OPTIONS=JZ, which overwrites freed blocks and zeroes new ones. A block that a "
        "thread of ours recycles by itself is seen by none of them.",
    ),
)
