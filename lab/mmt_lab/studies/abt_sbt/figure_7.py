"""Figure 7: free chunks."""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtLeast, AtMost
from .allocators import SHAPE_NOTE
from .figure_5 import more_alike
from .shapes import FREE_CHUNKS, all_boxes, by_metric, of_metric

HALF = 6

EXPERIMENT = Experiment(
    name="figure-7",
    title="Free chunks, in the mean",
    grids=all_boxes("Free chunks", "mean", of_metric(FREE_CHUNKS)),
    relations=(
        Relation(
            "ABT-FF and SqF-BF are in the better half",
            (
                Part(
                    f"of them among the best {HALF}",
                    by_metric(FREE_CHUNKS).shared(("ABT-FF", "SqF-BF"), HALF),
                    AtLeast(2),
                    2,
                    "count",
                ),
            ),
        ),
        Relation(
            "Segregated allocators differ less in them than the plain four",
            (Part("spread of theirs over that of the plain four", more_alike(FREE_CHUNKS), AtMost(1.0)),),
        ),
    ),
    notes=(SHAPE_NOTE, "The paper says that these two 'perform well'; the better half is our bound."),
)
