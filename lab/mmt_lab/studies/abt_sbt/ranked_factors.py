"""A controlled experiment: what moves the ranked sets. A factor is changed alone, then all of them."""

import dataclasses

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.ranking import Computed, Field
from ...study.relation import AtLeast
from . import traces
from .allocators import PAPER, TREES, TWELVE, model
from .figure_4 import EIGHT
from .ranked_sets import FOUR, SPEED, STORAGE
from .shapes import ALLOCATION, GROWTH, INTERNAL, average


@dataclasses.dataclass(frozen=True)
class Setting:
    name: str
    trees: tuple[str, ...] = ()  # keys of the trees' models
    lists: tuple[str, ...] = ()  # keys of SgF's
    traces: tuple = traces.SLICES

    def model(self, name):
        keys = self.trees if name in TREES else self.lists if name.startswith("SgF") else ()
        return model(name, PAPER, *keys)

    def by(self, metric):
        return Field(tuple((one, average(self.model(one), metric, self.traces)) for one in TWELVE))

    def by_places(self, *metrics):
        """The sum of the places in figures, as in ranked-sets."""
        fields = [self.by(one) for one in metrics]
        return Field(
            tuple((one, Computed(sum, tuple(of.place(one) for of in fields))) for one in TWELVE)
        )


_BALANCED, _EIGHT, _SOONER = ("balance=periodic",), ("lists=8",), traces.FINER["16K"]
SETTINGS = (
    Setting("as elsewhere"),
    Setting("trees rebalanced", _BALANCED),
    Setting("SgF of 8 lists, as SBT of 8 trees", lists=_EIGHT),
    Setting("deaths known within 16 KiB", traces=_SOONER),
    Setting("whole traces", traces=traces.WHOLE),
    Setting("rebalanced, 8 lists", _BALANCED, _EIGHT),
    Setting("rebalanced, 8 lists, 16 KiB", _BALANCED, _EIGHT, _SOONER),
)
_COLUMNS = {
    "trees of the best eight": (lambda one: one.by(ALLOCATION).shared(TREES, EIGHT), 6),
    "of the best four by nodes": (lambda one: one.by(ALLOCATION).shared(SPEED, FOUR), None),
    "of the best four in speed": (lambda one: one.by_places(ALLOCATION, GROWTH).shared(SPEED, FOUR), 4),
    "of the best four in storage": (lambda one: one.by_places(INTERNAL, GROWTH).shared(STORAGE, FOUR), 4),
}


def _relation(one):
    return Relation(
        f"Ours: the best eight and both best fours are the paper's: {one.name}",
        tuple(
            Part(column, quantity(one), AtLeast(paper), paper, "count")
            for column, (quantity, paper) in _COLUMNS.items()
            if paper
        ),
    )


EXPERIMENT = Experiment(
    name="ranked-factors",
    title="What moves the ranked sets",
    grids=(
        Grid(
            "How many of the paper's are among the best",
            "count",
            "setting",
            tuple(one.name for one in SETTINGS),
            tuple(_COLUMNS),
            {
                (one.name, column): Cell(quantity(one), paper)
                for one in SETTINGS
                for column, (quantity, paper) in _COLUMNS.items()
            },
        ),
        Grid(
            "Nodes at an allocation",
            "mean",
            "allocator",
            TWELVE,
            tuple(one.name for one in SETTINGS),
            {
                (name, one.name): Cell(average(one.model(name), ALLOCATION, one.traces))
                for name in TWELVE
                for one in SETTINGS
            },
        ),
    ),
    relations=tuple(map(_relation, SETTINGS)),
    notes=("As in ranked-sets the sum of the places in two figures decides; a tie goes to the one named first.",),
)
