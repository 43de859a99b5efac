"""Figure 7: free chunks."""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtLeast
from .allocators import SHAPE_NOTE
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
    ),
    notes=(SHAPE_NOTE, "The paper says that these two 'perform well'; the better half is our bound."),
)
