"""Figure 2: TCMalloc gives two threads blocks of one cache line."""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtLeast, Between
from . import allocators
from .allocators import GLIBC_2011, HOARD, TBB, TCMALLOC
from .shapes import by_allocator, probed

COLUMNS = {
    "first blocks apart": "first_blocks_apart",
    "blocks in a line with the other's": "shared_lines",
    "blocks in a stripe with the other's": "shared_stripes",
}

EXPERIMENT = Experiment(
    name="figure-2",
    title="Two threads that take 64 blocks of 16 bytes each, in turn",
    grids=(
        by_allocator(
            "By addresses", "count", COLUMNS, probed, units={"first blocks apart": "bytes"}
        ),
    ),
    relations=(
        Relation(
            "Under TCMalloc the threads' first blocks lie 16 bytes apart",
            (
                Part("apart", probed(TCMALLOC, "first_blocks_apart"), Between(16, 16), 16, "bytes"),
                Part("in shared lines", probed(TCMALLOC, "shared_lines"), AtLeast(1), None, "count"),
            ),
        ),
        Relation(
            "Under the others no line is shared",
            tuple(
                Part(one.name, probed(one, "shared_lines"), Between(0, 0), 0, "count")
                for one in (GLIBC_2011, HOARD, TBB)
            ),
        ),
    ),
    notes=("Addresses alone, no times: each run gives the same.", allocators.NOTE),
)
