"""What the study's grids and claims are made of: figures of the simulator, and their means."""

from ...study.experiment import BOXES, Cell, Grid, Kind, Part, Run
from ...study.quantity import Average, Highest, Measured
from ...study.ranking import Computed, Field, Sum
from .allocators import PAPER, SHAPES, TWELVE, model
from .traces import SETS, SLICES

ALLOCATION = "nodes_searched.allocation.mean"
FREE = "nodes_searched.free.mean"
WORST_ALLOCATION = "nodes_searched.allocation.max"
WORST_FREE = "nodes_searched.free.max"
GROWTH = "growth_calls"
PAGES = "os_pages.mean"
MOST_PAGES = "os_pages.max"
FREE_CHUNKS = "free_chunks.mean"
INTERNAL = "internal_fragmentation.mean"
COALESCED = "coalescing_frequency"
OPERATIONS = "integer_operations"
LIVE = "live_bytes.mean"
PAGE = 8192  # bytes, of the paper's OS


def figure(trace, allocator, metric):
    kind = Kind.TOUCHED if metric.startswith("touched") else Kind.SIMULATED
    return Measured(Run(kind, trace, allocator), metric)


def both(trace, allocator):
    """Nodes searched at an allocation and at a free."""
    return Sum((figure(trace, allocator, ALLOCATION), figure(trace, allocator, FREE)))


def average(allocator, metric, traces=SLICES):
    return Average(tuple(figure(one, allocator, metric) for one in traces))


def average_both(allocator, traces=SLICES):
    return Average(tuple(both(one, allocator) for one in traces))


def highest(allocator, metric, traces=SLICES):
    return Highest(tuple(figure(one, allocator, metric) for one in traces))


def ratio(top, bottom):
    return Computed(lambda values: values[0] / values[1] if values[1] else None, (top, bottom))


def field(quantity, names=TWELVE):
    """The contenders by quantity(model)."""
    return Field(tuple((one, quantity(model(one))) for one in names))


def by_metric(metric):
    return field(lambda allocator: average(allocator, metric))


def boxes(title, unit, quantity, shape=PAPER, of="slices of Java traces", names=TWELVE):
    """A row a trace, a column an allocator, a box over its traces.
    `quantity(trace, model)`."""
    traces = SETS[of]
    cells = {}
    for name in names:
        every = tuple(quantity(one, model(name, shape)) for one in traces)
        for trace, one in zip(traces, every, strict=True):
            cells[trace.name, name] = Cell(one)
    rows = tuple(one.name for one in traces)
    return Grid(
        f"{title}: {of}, {SHAPES[shape]}",
        unit,
        "trace",
        rows,
        tuple(names),
        cells,
        chart_column=BOXES,
    )


def all_boxes(title, unit, quantity, names=TWELVE):
    """On all traces in both shapes, the paper's on slices first."""
    return tuple(
        boxes(title, unit, quantity, shape, of, names) for shape in SHAPES for of in SETS
    )


def of_metric(metric):
    return lambda trace, allocator: figure(trace, allocator, metric)


def means(title, unit, rows, columns, paper=None):
    """`rows`: {name: model}; `columns`: {name: quantity(model)}; `paper`: {(row, column): value}."""
    cells = {
        (row, column): Cell(quantity(allocator), (paper or {}).get((row, column)))
        for row, allocator in rows.items()
        for column, quantity in columns.items()
    }
    return Grid(title, unit, "allocator", tuple(rows), tuple(columns), cells)


def against(claimed, condition, quantity, counterparts):
    """Parts: each allocator's mean over its counterpart's."""
    return tuple(
        Part(
            f"{one} against {other}, {claimed}",
            ratio(quantity(model(one)), quantity(model(other))),
            condition,
        )
        for one, other in counterparts.items()
    )
