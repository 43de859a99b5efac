"""The structures with fewer updates: the paper measured these and left them out."""

import dataclasses

from ...study.experiment import Experiment, NotCompared
from . import allocators, programs
from .shapes import aborts, by_threads, throughput


def _program(structure, threads, updates):
    """For half a second: nothing of the paper's stands beside it."""
    program = programs.synthetic(structure, threads, updates)
    return dataclasses.replace(program, command=(*program.command, "--milliseconds", "500"), seconds=0.5)


def _grid(structure, updates, title, unit, quantity):
    return by_threads(
        f"{programs.TITLES[structure]}, {updates}% updates: {title}",
        unit,
        lambda threads, one: quantity(_program(structure, threads, updates), one),
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
    notes=("The paper has no numbers of these. Runs take half a second.", allocators.NOTE, programs.NOTE),
    not_compared=(
        NotCompared("Section 5: 0 and 20% updates", "the paper measured these, and has no numbers of them"),
    ),
)
