"""Figure 3: nodes searched at an allocation, of all twelve."""

from ...study.experiment import Experiment, Part, Relation
from ...study.ranking import Computed
from ...study.relation import AtLeast, AtMost
from . import traces
from .allocators import COALESCING_NOTE, COUNTERPARTS, SHAPE_NOTE, model
from .shapes import ALLOCATION, against, all_boxes, average, of_metric


def _gain(list_pair, tree_pair):
    """How much more the first pair's step saves than the second's."""
    names = (*list_pair, *tree_pair)
    return Computed(
        lambda v: (v[0] / v[1]) / (v[2] / v[3]) if v[1] and v[2] and v[3] else None,
        tuple(average(model(one), ALLOCATION) for one in names),
    )


EXPERIMENT = Experiment(
    name="figure-3",
    title="Nodes searched at an allocation, in the mean",
    grids=all_boxes("Nodes searched at an allocation", "mean", of_metric(ALLOCATION)),
    relations=(
        Relation(
            "Trees search no more nodes than lists do",
            against("nodes", AtMost(1.0), lambda one: average(one, ALLOCATION), COUNTERPARTS),
        ),
        Relation(
            "Coalescing saves lists more nodes than trees",
            tuple(
                Part(
                    f"SqF-{fit} with it against ABT-{fit} with it",
                    _gain((f"SqF-{fit}", f"SqF-{fit}WC"), (f"ABT-{fit}", f"ABT-{fit}WC")),
                    AtLeast(1.0),
                )
                for fit in ("FF", "BF")
            ),
        ),
        Relation(
            "Size classes save lists more nodes than trees",
            tuple(
                Part(
                    f"SgF-{fit} over SqF against SBT-{fit} over ABT",
                    _gain((f"SqF-{fit}", f"SgF-{fit}"), (f"ABT-{fit}", f"SBT-{fit}")),
                    AtLeast(1.0),
                )
                for fit in ("FF", "BF")
            ),
        ),
    ),
    notes=(traces.NOTE, SHAPE_NOTE, COALESCING_NOTE),
)
