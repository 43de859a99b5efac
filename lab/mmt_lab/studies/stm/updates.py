"""The structures with fewer updates: the paper measured these and shows none of them."""

import dataclasses

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import OfMedians
from ...study.relation import AtLeast
from . import allocators, programs
from .best_and_worst import spread
from .shapes import aborts, by_threads, throughput


def _program(structure, threads, updates):
    """For half a second: the paper has no numbers of these."""
    program = programs.synthetic(structure, threads, updates)
    return dataclasses.replace(program, command=(*program.command, "--milliseconds", "500"), seconds=0.5)


def _grid(structure, updates, title, unit, quantity):
    return by_threads(
        f"{programs.TITLES[structure]}, {updates}% updates: {title}",
        unit,
        lambda threads, one: quantity(_program(structure, threads, updates), one),
    )


def _more_sensitive(structure, updates):
    """How far the four are apart with 60% updates, over how far they are with fewer."""
    several = (programs.synthetic(structure, 8), _program(structure, 8, updates))
    count = len(allocators.FOUR)

    def ratio(values):
        most, fewer = spread(values[:count]), spread(values[count:])
        return most / fewer if fewer else None

    return OfMedians(ratio, tuple(throughput(program, one) for program in several for one in allocators.FOUR))


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
    relations=(
        Relation(
            "Most updates are the most sensitive to the allocator",
            tuple(
                Part(f"{programs.TITLES[structure]}, 60% over {updates}% updates", _more_sensitive(structure, updates),
                     AtLeast(1.0))
                for structure in programs.STRUCTURES
                for updates in (0, 20)
            ),
            reason=programs.LITTLE_OVERLAP,
        ),
    ),
    notes=("The paper has no numbers of these. Runs take half a second.", allocators.NOTE, programs.NOTE),
)
