"""Figure 6: nodes searched at an allocation and at a free together."""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtMost
from .allocators import COUNTERPARTS, model
from .figure_4 import RULE, of_the_eight
from .shapes import FREE, against, all_boxes, average, average_both, both

EXPERIMENT = Experiment(
    name="figure-6",
    title="Nodes searched at an allocation and at a free together",
    grids=(
        of_the_eight("Both, of the eight", "mean", both),
        *all_boxes("Both", "mean", both),
    ),
    relations=(
        Relation(
            "With frees counted, too, trees search no more nodes than lists do",
            against("both", AtMost(1.0), average_both, COUNTERPARTS),
        ),
        Relation(
            "A list that coalesces nothing looks at one node at a free",
            tuple(
                Part(one, average(model(one), FREE), AtMost(1.0), 1, "mean")
                for one in ("SqF-FF", "SqF-BF")
            ),
        ),
    ),
    notes=(RULE,),
)
