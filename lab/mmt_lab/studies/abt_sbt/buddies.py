"""Section 3: what buddies waste inside their blocks."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.ranking import Computed
from ...study.relation import AtMost
from .allocators import model
from .shapes import ALLOCATION, INTERNAL, LIVE, PAGES, SETS, figure
from .traces import SLICES

NAMES = ("buddy", "double-buddy", "TLSF")


def inside(trace, allocator):
    """The share of live blocks that nobody asked for."""
    return Computed(
        lambda values: values[0] / (values[0] + values[1]) if values[0] + values[1] else None,
        (figure(trace, allocator, INTERNAL), figure(trace, allocator, LIVE)),
    )


def _shares(name):
    return tuple(inside(one, model(name)) for one in SLICES)


def _mean(name):
    return Computed(lambda values: sum(values) / len(values), _shares(name))


def _grid(title, unit, quantity):
    rows = [one for of in SETS.values() for one in of]
    cells = {
        (one.label, name): Cell(quantity(one, model(name))) for one in rows for name in NAMES
    }
    return Grid(title, unit, "trace", tuple(one.label for one in rows), NAMES, cells)


EXPERIMENT = Experiment(
    name="buddies",
    title="Buddies, and a modern bound",
    grids=(
        _grid("Share of live blocks that was not asked for", "share", inside),
        _grid("OS pages, mean", "count", lambda trace, one: figure(trace, one, PAGES)),
        _grid("Nodes at an allocation", "mean", lambda trace, one: figure(trace, one, ALLOCATION)),
    ),
    relations=(
        Relation(
            "Binary buddies waste up to 25% inside blocks",
            (Part("the most of a slice", Computed(max, _shares("buddy")), AtMost(0.25), 0.25, "share"),),
        ),
        Relation(
            "Double buddies waste half of that",
            (
                Part(
                    "double buddies against buddies",
                    Computed(
                        lambda values: values[0] / values[1] if values[1] else None,
                        (_mean("double-buddy"), _mean("buddy")),
                    ),
                    AtMost(0.55),
                    0.5,
                ),
            ),
        ),
    ),
    notes=(
        "The paper cites both: 'as much as 25%', and half of it. TLSF, of 2004, is a bound: "
        "constant time, good fit.",
    ),
)
