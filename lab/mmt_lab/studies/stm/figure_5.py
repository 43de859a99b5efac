"""Figure 5 and the example of arenas: which addresses share a versioned lock."""

from ...study.experiment import HEAT, Experiment, Part, Relation
from ...study.relation import AtLeast, Between
from . import allocators
from .allocators import DENSE, GLIBC_2011, HOARD, TBB
from .shapes import by_allocator, by_row, probed

SHIFTS = {f"shift {shift}": f"sharing_shift_{shift}" for shift in range(3, 9)}
BLOCKS = {f"block {number}": f"stripe_of_{number}" for number in range(1, 17)}

EXPERIMENT = Experiment(
    name="figure-5",
    title="Which nodes of 16 bytes share a lock",
    grids=(
        by_allocator("Neighbours in sequence that share a stripe", "share", SHIFTS, probed),
        by_allocator("Blocks of two threads whose stripes share a lock", "share",
                     {"aliases": "aliases"}, probed),
        by_row("The layout: in which stripe of 32 bytes each block lies, from the first", "count",
               "block", BLOCKS, lambda metric, one: probed(one, metric), chart=HEAT),
    ),
    relations=(
        Relation(
            "With a shift of 5, neighbours of 16 bytes share a lock, Glibc's do not",
            (
                Part("Glibc", probed(GLIBC_2011, "sharing_shift_5"), Between(0, 0), 0, "share"),
                *(
                    Part(one.name, probed(one, "sharing_shift_5"), Between(0.49, 0.51), 0.5, "share")
                    for one in DENSE
                ),
            ),
        ),
        Relation(
            "With a shift of 4 none do",
            tuple(
                Part(one.name, probed(one, "sharing_shift_4"), Between(0, 0), 0, "share")
                for one in (GLIBC_2011, *DENSE)
            ),
        ),
        Relation(
            "Threads' blocks in arenas of 64 MiB have the same locks, those of Hoard and TBBMalloc not",
            (
                Part("Glibc", probed(GLIBC_2011, "aliases"), AtLeast(0.9), None, "share"),
                *(
                    Part(one.name, probed(one, "aliases"), Between(0, 0), 0, "share")
                    for one in (HOARD, TBB)
                ),
            ),
        ),
    ),
    notes=(
        "Addresses alone, no times. tests/unit/stm/false_conflicts_test.cpp has the paper's own "
        "addresses, and what an abort there is put down to.",
        allocators.NOTE,
    ),
)  # fmt: skip
