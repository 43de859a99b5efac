"""Figure 5: how often the heap grows."""

from ...study.experiment import Experiment, Part, Relation
from ...study.ranking import Computed
from ...study.relation import AtLeast, AtMost
from .allocators import SEGREGATED, SHAPE_NOTE, TWELVE, model
from .shapes import GROWTH, all_boxes, average, by_metric, of_metric

FIELD = by_metric(GROWTH)
ALMOST = 1.25  # the paper has no number for "almost the same"


def spread(names, metric):
    """The most over the least."""
    return Computed(
        lambda values: max(values) / min(values) if min(values) else None,
        tuple(average(model(one), metric) for one in names),
    )


def more_alike(metric):
    """The segregated four's spread over that of the others."""
    rest = tuple(one for one in TWELVE if one not in SEGREGATED)
    parts = (spread(SEGREGATED, metric), spread(rest, metric))
    return Computed(lambda values: values[0] / values[1], parts)


EXPERIMENT = Experiment(
    name="figure-5",
    title="Calls that grow the heap, by 8 KiB each",
    grids=all_boxes("Calls that grow the heap", "count", of_metric(GROWTH)),
    relations=(
        Relation(
            "Segregated allocators grow more alike than the others",
            (Part("spread of theirs over that of the others", more_alike(GROWTH), AtMost(1.0)),),
        ),
        Relation(
            "All twelve grow about as often",
            (Part("the most over the least", spread(TWELVE, GROWTH), AtMost(ALMOST)),),
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
