"""Figure 6: nodes searched at an allocation and at a free together."""

from ...study.experiment import Experiment, NotCompared, Part, Relation
from ...study.relation import AtMost
from .allocators import COUNTERPARTS, TWELVE, model
from .figure_4 import RULE, of_the_eight
from .shapes import ALLOCATION, all_boxes, average, average_both, both, ratio


def total_against_allocation(models):
    """Parts: a tree's nodes at an allocation and a free over a list's at an allocation alone."""
    return tuple(
        Part(
            f"{one} against {other}",
            ratio(average_both(models[one]), average(models[other], ALLOCATION)),
            AtMost(1.0),
        )
        for one, other in COUNTERPARTS.items()
    )


EXPERIMENT = Experiment(
    name="figure-6",
    title="Nodes searched at an allocation and at a free together",
    grids=(
        of_the_eight("Both, of the eight", "mean", both),
        *all_boxes("Both", "mean", both),
    ),
    relations=(
        Relation(
            "With frees counted, too, trees search no more nodes than lists do at an allocation alone",
            total_against_allocation({one: model(one) for one in TWELVE}),
        ),
    ),
    not_compared=(
        NotCompared("A list looks at one node at a free", "the models put each freed chunk in front"),
    ),
    notes=(RULE, "The paper says that trees 'can be well compared'; that they search no more is our bound."),
)
