"""Figure 9: the worst searches."""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtMost
from .allocators import COUNTERPARTS, model
from .shapes import WORST_ALLOCATION, WORST_FREE, all_boxes, highest, of_metric, ratio

GREAT = 0.5  # the paper has no number for "a great improvement"


def shorter(statement, metric):
    return Relation(
        statement,
        tuple(
            Part(f"{one} against {other}", ratio(highest(model(one), metric), highest(model(other), metric)), AtMost(GREAT))
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
        shorter("The worst search of a tree is far shorter than a list's", WORST_ALLOCATION),
        shorter("At a free, too", WORST_FREE),
    ),
    notes=(f"'Far shorter' is taken as at most {GREAT:g} of it; the paper has no number.",),
)
