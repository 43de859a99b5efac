"""Section 3: the Cartesian tree, whose largest chunk is its root, against the ABT that gives that up."""

import math

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.ranking import Computed
from ...study.relation import AtLeast
from .allocators import model
from .shapes import (
    ALLOCATION,
    FREE,
    FREE_CHUNKS,
    SETS,
    WORST_FREE,
    average,
    average_both,
    figure,
    ratio,
)
from .traces import SLICES

NAMES = ("cartesian", "ABT-FFWC", "ABT-BFWC")
METRICS = {"allocation": ALLOCATION, "free": FREE, "most at a free": WORST_FREE}


def _depth(name):
    """Its longest search at a free, in means of its nodes' logarithm: 1 is a tree in balance."""
    parts = tuple(
        one
        for trace in SLICES
        for one in (figure(trace, model(name), WORST_FREE), figure(trace, model(name), FREE_CHUNKS))
    )

    def mean(values):
        depths = [
            worst / math.log2(nodes + 2) for worst, nodes in zip(values[::2], values[1::2], strict=True)
        ]
        return sum(depths) / len(depths)

    return Computed(mean, parts)


def _grid():
    rows = [one for of in SETS.values() for one in of]
    columns = tuple(f"{name}, {metric}" for name in NAMES for metric in METRICS)
    cells = {
        (one.label, f"{name}, {metric}"): Cell(figure(one, model(name), place))
        for one in rows
        for name in NAMES
        for metric, place in METRICS.items()
    }
    return Grid("Nodes searched", "mean", "trace", tuple(one.label for one in rows), columns, cells)


EXPERIMENT = Experiment(
    name="cartesian",
    title="The Cartesian tree degenerates",
    grids=(_grid(),),
    relations=(
        Relation(
            "A Cartesian tree's searches are longer than an ABT's",
            (
                Part(
                    "both kinds of search, against ABT-FFWC",
                    ratio(average_both(model("cartesian")), average_both(model("ABT-FFWC"))),
                    AtLeast(1.0),
                ),
                Part(
                    "at a free alone",
                    ratio(average(model("cartesian"), FREE), average(model("ABT-FFWC"), FREE)),
                    AtLeast(1.0),
                ),
            ),
        ),
        Relation(
            "It degenerates: its longest path is several times that of a tree in balance",
            (Part("longest search at a free over log2 of its nodes", _depth("cartesian"), AtLeast(3.0)),),
        ),
        Relation(
            "Without the condition on sizes a tree's longest path is shorter",
            tuple(
                Part(
                    f"longest search at a free, against {one}",
                    ratio(average(model("cartesian"), WORST_FREE), average(model(one), WORST_FREE)),
                    AtLeast(1.0),
                )
                for one in NAMES[1:]
            ),
        ),
    ),
    notes=("Both coalesce. 'Several times' is taken as three times; the paper has no number.",),
)
