"""Figure 4: the eight that search fewest nodes."""

from ...study.experiment import BOXES, Cell, Experiment, Grid, Part, Relation
from ...study.ranking import IfAmong
from ...study.relation import AtLeast
from . import traces
from .allocators import TREES, TWELVE, model
from .shapes import ALLOCATION, by_metric, figure

EIGHT = 8
FIELD = by_metric(ALLOCATION)
RULE = (
    "The paper does not say how it chose its eight. Here they are the eight whose mean over the traces "
    "of nodes searched at an allocation is least; a tie goes to the one named first."
)


def of_the_eight(title, unit, quantity):
    """`quantity(trace, model)` of those that were chosen; the others have no column."""
    cells = {
        (trace.name, name): Cell(IfAmong(quantity(trace, model(name)), FIELD, name, EIGHT))
        for trace in traces.SLICES
        for name in TWELVE
    }
    rows = tuple(one.name for one in traces.SLICES)
    return Grid(title, unit, "trace", rows, TWELVE, cells, chart_column=BOXES, drops_empty=True)


EXPERIMENT = Experiment(
    name="figure-4",
    title="The eight that search fewest nodes at an allocation",
    grids=(
        of_the_eight(
            "Nodes searched at an allocation",
            "mean",
            lambda trace, allocator: figure(trace, allocator, ALLOCATION),
        ),
    ),
    relations=(
        Relation(
            "Six of the eight are trees",
            (Part("trees among them", FIELD.shared(TREES, EIGHT), AtLeast(6), 6, "count"),),
        ),
        Relation(
            "SBT-FF and SBT-BF are the best two",
            (
                Part(
                    "of them among the best two",
                    FIELD.shared(("SBT-FF", "SBT-BF"), 2),
                    AtLeast(2),
                    2,
                    "count",
                ),
            ),
        ),
    ),
    notes=(RULE, "All trees of the twelve are six: that six of eight are trees says that none is left out."),
)
