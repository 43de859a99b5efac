"""Section V-F: what preallocation and delayed frees cost in memory."""

from ...experiment import Experiment, Part, Relation
from ...relation import AtMost
from . import figure_9, programs
from .shapes import normalised, over_base, peak

BASES = figure_9.BASES

EXPERIMENT = Experiment(
    name="footprint",
    title="Peak resident memory against the allocator alone",
    grids=tuple(
        normalised(f"Peak resident memory, base: {base.name}", base, figure_9.designs(base), {}, peak)
        for base in BASES
    ),
    relations=(
        Relation(
            "The memory footprint grows little",
            tuple(
                Part(
                    f"{column} over {base.name}",
                    over_base(figure_9.designs(base)[column], base, peak),
                    AtMost(1.1),
                )
                for base in BASES
                for column in ("preallocate", "ours")
            ),
        ),
    ),
    notes=(
        programs.NOTE,
        "The paper calls the growth negligible and gives no number. A program that needs a few MiB "
        "shows the thread's stack and the buckets most.",
    ),
)
