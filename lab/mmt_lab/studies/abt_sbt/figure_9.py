"""Figure 9: the worst searches."""

from ...study.experiment import Experiment, Part, Relation
from ...study.ranking import Computed
from ...study.relation import AtMost
from .allocators import COUNTERPARTS, model
from .shapes import WORST_ALLOCATION, WORST_FREE, all_boxes, highest, of_metric, ratio

GREAT = 0.5  # the paper has no number for "a great improvement"


def _most(allocator):
    return highest(allocator, WORST_ALLOCATION)


def _most_of_both(allocator):
    return Computed(sum, (_most(allocator), highest(allocator, WORST_FREE)))


def _shorter(claim, quantity):
    """Than a list's at an allocation: its free looks at one node."""
    return Relation(
        claim,
        tuple(
            Part(f"{one} against {other}", ratio(quantity(model(one)), _most(model(other))), AtMost(GREAT))
            for one, other in COUNTERPARTS.items()
        ),
    )


EXPERIMENT = Experiment(
    name="figure-9",
    title="The most nodes searched at one allocation, and at one free",
    grids=(
        *all_boxes("Most nodes at an allocation", "count", of_metric(WORST_ALLOCATION)),
        *all_boxes("Most nodes at a free", "count", of_metric(WORST_FREE)),
    ),
    relations=(
        _shorter("The worst search of a tree is far shorter than a list's", _most),
        _shorter("So is the sum of its worst at an allocation and at a free", _most_of_both),
    ),
    notes=(f"'Far shorter' is taken as at most {GREAT:g} of it; the paper has no number.",),
)
