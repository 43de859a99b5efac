"""The structures with fewer updates: the paper measured these and left them out."""

from ...study.experiment import Experiment, NotCompared
from . import allocators, programs
from .shapes import aborts, by_threads, throughput


def _grid(structure, updates, title, unit, quantity):
    return by_threads(
        f"{programs.TITLES[structure]}, {updates}% updates: {title}",
        unit,
        lambda threads, one: quantity(programs.synthetic(structure, threads, updates), one),
    )


EXPERIMENT = Experiment(
    name="updates",
    title="The structures read-only, and with 20% updates",
    grids=tuple(
        grid
        for updates in (0, 20)
        for structure in programs.STRUCTURES
        for grid in (
            _grid(structure, updates, "transactions", "per_s", throughput),
            _grid(structure, updates, "aborts", "share", aborts),
        )
    ),
    relations=(),
    notes=("The paper has no numbers of these.", allocators.NOTE, programs.NOTE),
    not_compared=(
        NotCompared("Section 5: 0 and 20% updates", "the paper measured these, and has no numbers of them"),
    ),
)
