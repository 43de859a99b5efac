"""Figure 9: the worst searches."""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtMost
from .allocators import COUNTERPARTS, model
from .shapes import WORST_ALLOCATION, WORST_FREE, all_boxes, highest, of_metric, ratio

GREAT = 0.5  # the paper has no number for "a great improvement"

EXPERIMENT = Experiment(
    name="figure-9",
    title="The most nodes searched at one allocation, and at one free",
    grids=(
        *all_boxes("Most nodes at an allocation", "count", of_metric(WORST_ALLOCATION)),
        *all_boxes("Most nodes at a free", "count", of_metric(WORST_FREE)),
    ),
    relations=(
        Relation(
            "The worst search of a tree is far shorter than a list's",
            tuple(
                Part(
                    f"{one} against {other}",
                    ratio(highest(model(one), WORST_ALLOCATION), highest(model(other), WORST_ALLOCATION)),
                    AtMost(GREAT),
                )
                for one, other in COUNTERPARTS.items()
            ),
        ),
        Relation(
            "At a free, too",
            tuple(
                Part(
                    f"{one} against {other}",
                    ratio(highest(model(one), WORST_FREE), highest(model(other), WORST_FREE)),
                    AtMost(GREAT),
                )
                for one, other in COUNTERPARTS.items()
            ),
        ),
    ),
    notes=(f"'Far shorter' is taken as at most {GREAT:g} of it; the paper has no number.",),
)
