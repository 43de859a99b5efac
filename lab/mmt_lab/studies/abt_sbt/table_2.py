"""Table 2: what the benchmarks ask for, whole and in slices of the paper's size."""

from ...study.experiment import Cell, Experiment, Grid, NotCompared, Part, Relation
from ...study.ranking import Computed
from ...study.relation import WithinFactor
from . import traces
from .allocators import model
from .shapes import LIVE, figure, ratio

# These are of the trace, whatever replays it.
_ANY = model("SqF-FF")
_COLUMNS = ("allocations", "de-allocations", "average request (bytes)", "average live (MB)")
_UNITS = dict(zip(_COLUMNS, ("count", "count", "mean", "mean"), strict=True))


def _of(trace):
    allocations = figure(trace, _ANY, "allocations")
    live = Computed(lambda values: values[0] / 1e6, (figure(trace, _ANY, LIVE),))
    request = ratio(figure(trace, _ANY, "requested_bytes"), allocations)
    return allocations, figure(trace, _ANY, "frees"), request, live


def _grid(title, of, paper):
    cells = {}
    for one in of:
        values = paper.get(one.name, (None,) * 4)
        for column, quantity, value in zip(_COLUMNS, _of(one), values, strict=True):
            cells[one.name, column] = Cell(quantity, value)
    rows = tuple(one.name for one in of)
    return Grid(title, "count", "benchmark", rows, _COLUMNS, cells, _UNITS)


def _mean(values):
    return sum(values) / len(values)


def _left():
    """Objects that are not freed, in the mean of the slices."""
    counts = tuple(quantity for one in traces.SLICES for quantity in _of(one)[:2])
    return Computed(
        lambda values: _mean([asked - freed for asked, freed in zip(values[::2], values[1::2], strict=True)]),
        counts,
    )


EXPERIMENT = Experiment(
    name="table-2",
    title="Requests of the benchmarks",
    grids=(
        _grid("Slices of the paper's size", traces.SLICES, traces.TABLE_2),
        _grid("Whole Java traces", traces.WHOLE, traces.TABLE_2),
        _grid("Programs in C and C++", traces.PROGRAMS, {}),
    ),
    relations=(
        Relation(
            "Java programs ask for about 90 bytes at a time",
            tuple(
                Part(one.name, _of(one)[2], WithinFactor(2, 89.2), traces.TABLE_2[one.name][2], "mean")
                for one in traces.SLICES
            ),
        ),
        Relation(
            "They ask for 89 bytes on average",
            (
                Part(
                    "mean of the slices",
                    Computed(_mean, tuple(_of(one)[2] for one in traces.SLICES)),
                    WithinFactor(1.25, 89.2),
                    89.2,
                    "mean",
                ),
            ),
        ),
        Relation(
            "About ten thousand objects are not freed, 6,545 by the table",
            tuple(
                Part(f"mean of the slices, against {source}", _left(), WithinFactor(2, paper), paper, "count")
                for source, paper in (("the text", 10_000), ("the table", 6_545))
            ),
        ),
        Relation(
            "About 12,000 objects are live at any time",
            (
                Part(
                    "average live over average request",
                    Computed(
                        lambda values: sum(
                            live / request
                            for live, request in zip(values[::2], values[1::2], strict=True)
                        )
                        / (len(values) // 2),
                        tuple(
                            quantity
                            for one in traces.SLICES
                            for quantity in (figure(one, _ANY, LIVE), _of(one)[2])
                        ),
                    ),
                    WithinFactor(2, 12_000),
                    12_000,
                    "count",
                ),
            ),
        ),
    ),
    not_compared=(
        NotCompared(
            "More than 70,000 objects are allocated, and about 1 MB is live",
            "the slices have the paper's requests, and are chosen by its frees and live bytes",
        ),
        NotCompared(
            "On average: 71,148 allocations, 64,603 frees, 89.2 bytes, 1.05 MB",
            "the table's own rows give 72,326, 65,712, 89.75 and 1.08",
        ),
    ),
    notes=(traces.NOTE, "Sizes are those of the Java machine's heap, with its object headers of 12 bytes."),
)
