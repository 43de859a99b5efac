"""A controlled experiment: the claims on searches with trees that are rebalanced periodically, as the
paper advocates in section 4.1. It does not say whether its simulators did so.
"""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.relation import AtLeast, AtMost
from ...study.ranking import Field
from .allocators import COUNTERPARTS, PAPER, TREES, TWELVE, model
from .figure_4 import EIGHT
from .figure_6 import total_against_allocation
from .ranked_sets import FOUR, SPEED
from .shapes import ALLOCATION, FREE, WORST_ALLOCATION, average, average_both, highest, ratio

_COLUMNS = {
    "nodes at allocation": lambda one: average(one, ALLOCATION),
    "nodes at free": lambda one: average(one, FREE),
    "both": average_both,
    "most at allocation": lambda one: highest(one, WORST_ALLOCATION),
}
MODELS = {one: model(one, PAPER, "balance=periodic") if one in TREES else model(one) for one in TWELVE}
_SEARCHES = Field(tuple((name, average(one, ALLOCATION)) for name, one in MODELS.items()))


def _against(metric):
    return tuple(
        Part(f"{one} against {other}", ratio(average(MODELS[one], metric), average(MODELS[other], metric)), AtMost(1.0))
        for one, other in COUNTERPARTS.items()
    )


EXPERIMENT = Experiment(
    name="rebalanced",
    title="Searches, with trees that are rebalanced periodically",
    grids=(
        Grid(
            "Mean of the slices, the paper's shape",
            "mean",
            "allocator",
            TWELVE,
            tuple(_COLUMNS),
            {
                (name, column): Cell(quantity(one))
                for name, one in MODELS.items()
                for column, quantity in _COLUMNS.items()
            },
        ),
    ),
    relations=(
        Relation(
            "Rebalanced trees search no more nodes at an allocation than lists do",
            _against(ALLOCATION),
        ),
        Relation(
            "With frees counted, too, no more than lists do at an allocation alone",
            total_against_allocation(MODELS),
        ),
        Relation(
            "Six of the eight that search fewest nodes are trees",
            (Part("trees among them", _SEARCHES.shared(TREES, EIGHT), AtLeast(6), 6, "count"),),
        ),
        Relation(
            "The best four by nodes at an allocation",
            (Part(f"of {', '.join(SPEED)} among the best four", _SEARCHES.shared(SPEED, FOUR), AtLeast(4), 4, "count"),),
        ),
    ),
    notes=("Nodes that rebalancing itself visits are not searches; ambiguities has them.",),
)
