"""Figure 5: how often the heap grows."""

from ...study.experiment import Experiment, Part, Relation
from ...study.ranking import Computed
from ...study.relation import AtLeast, AtMost
from .allocators import PLAIN, SEGREGATED, SHAPE_NOTE, TWELVE, model
from .shapes import GROWTH, all_boxes, average, by_metric, of_metric

FIELD = by_metric(GROWTH)
ALMOST = 1.25  # the paper has no number for "almost the same"
SQF_FF_ALONE = "SqF-FF alone decides it: the other eleven are that near"


def spread(names, metric):
    """The most over the least."""
    return Computed(
        lambda values: max(values) / min(values) if min(values) else None,
        tuple(average(model(one), metric) for one in names),
    )


def more_alike(metric):
    """The segregated four's spread over that of the plain four, which they are with size classes."""
    parts = (spread(SEGREGATED, metric), spread(PLAIN, metric))
    return Computed(lambda values: values[0] / values[1], parts)


EXPERIMENT = Experiment(
    name="figure-5",
    title="Calls that grow the heap, by 8 KiB each",
    grids=all_boxes("Calls that grow the heap", "count", of_metric(GROWTH)),
    relations=(
        Relation(
            "Segregated allocators grow more alike than the plain four",
            (Part("spread of theirs over that of the plain four", more_alike(GROWTH), AtMost(1.0)),),
        ),
        Relation(
            "All twelve grow about as often",
            (Part("the most over the least", spread(TWELVE, GROWTH), AtMost(ALMOST)),),
            reason=SQF_FF_ALONE,
        ),
        Relation(
            "ABT-FF and SqF-BF grow least often",
            (
                Part(
                    "of them among the best two",
                    FIELD.shared(("ABT-FF", "SqF-BF"), 2),
                    AtLeast(2),
                    2,
                    "count",
                ),
            ),
        ),
    ),
    notes=(SHAPE_NOTE, f"'About as often' is taken as within {ALMOST:g} times; the paper has no number."),
)
