"""Figure 9: the final design over two allocators, and ours beside it."""

from ...experiment import Experiment, Part, Relation
from ...relation import AtMost
from . import allocators, breakdown, programs
from .shapes import normalised, over_base

BASES = (allocators.LEA, allocators.PHK)
PAPER = {"preallocate": 0.84}


def designs(base):
    return {
        "preallocate": allocators.over(base, "preallocate", "preallocate"),
        "ours": allocators.over(base, "mmt", "mmt"),
    }


def _relation(claim, column, limit, paper=None):
    parts = tuple(
        Part(f"over {base.name}", over_base(designs(base)[column], base), AtMost(limit), paper)
        for base in BASES
    )
    return Relation(claim, parts)


EXPERIMENT = Experiment(
    name="figure-9",
    title="The final design: wall time against the allocator alone",
    grids=tuple(
        normalised(f"Wall time, base: {base.name}", base, designs(base), PAPER) for base in BASES
    )
    + (breakdown.grid(allocators.LEA, designs(allocators.LEA)),),
    relations=(
        _relation("Preallocation in bulk makes programs faster", "preallocate", 0.95, 0.84),
        _relation("Our protocol makes programs faster", "ours", 0.95),
    ),
    notes=(
        allocators.LEA_NOTE,
        programs.NOTE,
        "The paper has no value for gawk over PHK, which did not run there.",
        breakdown.NOTE,
        "Why the final design is not ahead of the base here: the last grid, over Lea, shows that the "
        "library's code has left the program's thread, and that more has come. In the protocol's "
        "library it takes blocks from buckets and waits for those that are not ready; its own code "
        "takes longer than the base's, as it finds the lines of its new blocks in the other core's "
        "cache. library-cost shows from which cost of a call on that is worth it. What ours gains is "
        "the kernel's part: the first touch of new memory.",
    ),
)
