"""Section 5.3: which four are best in speed, and which four in storage."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.ranking import Computed, Field
from ...study.relation import AtLeast
from .allocators import TWELVE
from .figure_5 import spread
from .shapes import (
    ALLOCATION,
    FREE_CHUNKS,
    GROWTH,
    INTERNAL,
    PAGES,
    average_both,
    by_metric,
    field,
)

SPEED = ("ABT-FFWC", "SBT-FF", "SBT-BF", "ABT-FF")
STORAGE = ("SqF-BFWC", "SqF-BF", "SBT-FF", "ABT-FFWC")
FOUR = 4

NODES, GROWN, WASTED = by_metric(ALLOCATION), by_metric(GROWTH), by_metric(INTERNAL)


def _joined(first, second):
    """The contenders by the sum of their places in two fields."""
    return Field(
        tuple((name, Computed(sum, (first.place(name), second.place(name)))) for name in TWELVE)
    )


# "While examining Figures 4 and 5"; "Figures 8 and 5".
BY_SPEED, BY_STORAGE = _joined(NODES, GROWN), _joined(WASTED, GROWN)
_COLUMNS = {
    "nodes at allocation (figures 3, 4)": NODES,
    "growth calls (figure 5)": GROWN,
    "internal fragmentation (figure 8)": WASTED,
    "speed: 4 and 5 together": BY_SPEED,
    "storage: 8 and 5 together": BY_STORAGE,
    "nodes at allocation and free (figure 6)": field(average_both),
    "free chunks (figure 7)": by_metric(FREE_CHUNKS),
    "OS pages": by_metric(PAGES),
}


def _paper_place(name, column):
    """The paper names its best four in order."""
    best = {"speed: 4 and 5 together": SPEED, "storage: 8 and 5 together": STORAGE}.get(column, ())
    return best.index(name) + 1 if name in best else None


def _best(claim, of, names):
    return Relation(
        claim,
        (Part(f"of {', '.join(names)} among the best four", of.shared(names, FOUR), AtLeast(4), 4, "count"),),
    )


EXPERIMENT = Experiment(
    name="ranked-sets",
    title="The best four in speed and in storage",
    grids=(
        Grid(
            "Places among the twelve, by the mean over the slices, the paper's shape",
            "count",
            "allocator",
            TWELVE,
            tuple(_COLUMNS),
            {
                (name, column): Cell(one.place(name), _paper_place(name, column))
                for name in TWELVE
                for column, one in _COLUMNS.items()
            },
        ),
    ),
    relations=(
        _best("The best four in speed, by figures 4 and 5", BY_SPEED, SPEED),
        _best("The best four in storage, by figures 8 and 5", BY_STORAGE, STORAGE),
        _best("The best four by nodes at an allocation alone", NODES, SPEED),
        _best("The best four by growth of the heap alone", GROWN, STORAGE),
        Relation(
            "ABT-FFWC and SBT-FF are in both sets",
            tuple(
                Part(f"of them among the best four in {name}", one.shared(("ABT-FFWC", "SBT-FF"), FOUR),
                     AtLeast(2), 2, "count")
                for name, one in (("speed", BY_SPEED), ("storage", BY_STORAGE))
            ),
        ),
        Relation(
            "Allocators differ far more in speed than in storage",
            (
                Part(
                    "most over least nodes at an allocation, over the same of pages",
                    Computed(
                        lambda values: values[0] / values[1],
                        (spread(TWELVE, ALLOCATION), spread(TWELVE, PAGES)),
                    ),
                    AtLeast(2.0),
                ),
            ),
        ),
    ),
    notes=(
        "The paper says at which figures it looked, and not how it joined them. Here the sum of both "
        "places decides; a tie goes to the one named first.",
    ),
)  # fmt: skip
