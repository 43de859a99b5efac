"""Sections 5.3 and 6: which four are best in speed, and which four in storage."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.ranking import Computed, Field
from ...study.relation import AtLeast, AtMost
from .allocators import TWELVE
from .figure_5 import ALMOST, SQF_FF_ALONE, spread
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
FAR_MORE = 2.0  # the paper has no number for "almost quite differently"

NODES, GROWN, WASTED = by_metric(ALLOCATION), by_metric(GROWTH), by_metric(INTERNAL)


def _joined(first, second):
    """The contenders by the sum of their places in two fields."""
    return Field(
        tuple((name, Computed(sum, (first.place(name), second.place(name)))) for name in TWELVE)
    )


# "While examining Figures 4 and 5"; "Figures 8 and 5".
BY_SPEED, BY_STORAGE = _joined(NODES, GROWN), _joined(WASTED, GROWN)
_IN_STORAGE = {"growth calls": GROWN, "free chunks": by_metric(FREE_CHUNKS), "OS pages": by_metric(PAGES)}
_COLUMNS = {
    "nodes at allocation (figures 3, 4)": NODES,
    "growth calls (figure 5)": GROWN,
    "internal fragmentation (figure 8)": WASTED,
    "speed: 4 and 5 together": BY_SPEED,
    "storage: 8 and 5 together": BY_STORAGE,
    "nodes at allocation and free (figure 6)": field(average_both),
    "free chunks (figure 7)": _IN_STORAGE["free chunks"],
    "OS pages": _IN_STORAGE["OS pages"],
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
                    AtLeast(FAR_MORE),
                ),
            ),
        ),
        Relation(
            "All twelve need about as many pages",
            (Part("the most over the least", spread(TWELVE, PAGES), AtMost(ALMOST)),),
            reason=SQF_FF_ALONE,
        ),
        Relation(
            "SqF-BFWC is the best of the twelve in storage",
            tuple(
                Part(f"its place by {title}", of.place("SqF-BFWC"), AtMost(1), 1, "count")
                for title, of in (("figures 8 and 5", BY_STORAGE), *_IN_STORAGE.items())
            ),
        ),
    ),
    notes=(
        "The paper says at which figures it looked, and not how it joined them. Here the sum of both "
        "places decides; a tie goes to the one named first.",
        f"'Far more' is taken as {FAR_MORE:g} times, 'about as many' as within {ALMOST:g} times; the paper has no number.",
    ),
)  # fmt: skip
