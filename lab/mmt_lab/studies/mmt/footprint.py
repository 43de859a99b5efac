"""Section V-F: what preallocation and delayed frees cost in memory."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Difference
from ...study.relation import AtMost
from . import figure_9, programs
from .shapes import normalised, over_base, peak

BASES = figure_9.BASES



def _grids(base):
    designs = figure_9.designs(base)
    growth = {
        (one.name, column): Cell(Difference(peak(one, allocator), peak(one, base)))
        for one in programs.ALL
        for column, allocator in designs.items()
    }
    rows = tuple(one.name for one in programs.ALL)
    return (
        normalised(f"Peak resident memory, base: {base.name}", base, designs, {}, peak),
        Grid(f"Its growth over {base.name}", "bytes", "benchmark", rows, tuple(designs), growth),
    )


EXPERIMENT = Experiment(
    name="footprint",
    title="Peak resident memory against the allocator alone",
    grids=tuple(grid for base in BASES for grid in _grids(base)),
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
        "The paper calls the growth negligible and gives no number. Buckets are so many blocks for "
        "each size that is asked for, whatever the program holds: the smaller a heap, the larger is "
        "their share of it. The second grid of either allocator has the growth itself.",
    ),
)
