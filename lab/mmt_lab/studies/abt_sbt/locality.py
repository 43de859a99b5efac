"""Section 1: that the trees outperform others because of their locality."""

from ...study.experiment import Experiment, Relation
from ...study.relation import AtMost
from .allocators import COUNTERPARTS, SHAPES
from .shapes import against, average, boxes, of_metric

LINES, TOUCHED_PAGES = "touched_lines.mean", "touched_pages.mean"

EXPERIMENT = Experiment(
    name="locality",
    title="Cache lines and pages that searches touch",
    grids=(
        *(
            boxes(title, "mean", of_metric(metric), shape)
            for title, metric in (("Cache lines touched", LINES), ("Pages touched", TOUCHED_PAGES))
            for shape in SHAPES
        ),
    ),
    relations=(
        Relation(
            "Trees touch no more cache lines than lists do",
            against("lines", AtMost(1.0), lambda one: average(one, LINES), COUNTERPARTS),
        ),
        Relation(
            "Trees touch no more pages than lists do",
            against("pages", AtMost(1.0), lambda one: average(one, TOUCHED_PAGES), COUNTERPARTS),
        ),
    ),
    notes=(
        "An operation's lines and pages, of the slices. The paper believes so and measures it not. What programs do with their blocks is not part of it.",
    ),
)
