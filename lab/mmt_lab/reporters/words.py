"""Texts that console, Markdown and pages share."""

from ..results.statistics import ENOUGH
from ..text.units import in_figures, with_interval

INTERVAL = "95% percentile bootstrap"
# What readers are told for the names of metrics that every run has.
METRICS = {
    "wall": "time",
    "cpu": "CPU",
    "peak_rss": "memory",
    "minor_faults": "minor faults",
    "major_faults": "major",
}


def of(whose, metric=None):
    """The heading of ratios: "time of glibc's"."""
    return f"{METRICS[metric]} of {whose}'s" if metric else f"of {whose}'s"


def ours(cell):
    """Our number, with its interval where it has one."""
    if cell is None:
        return ""
    if cell.ours is None:
        return "missing"
    value = in_figures(cell.ours.value, cell.unit)
    if not cell.ours.has_interval:
        return value
    low, high = in_figures(cell.ours.low, cell.unit), in_figures(cell.ours.high, cell.unit)
    return with_interval(value, low, high)


def paper(cell):
    """The paper's number, with its own digits."""
    if cell is None or cell.paper is None:
        return ""
    return f"{cell.paper:g}" if cell.unit == "s" else in_figures(cell.paper, cell.unit)


def heading(grid, column):
    unit = grid_unit(grid, column)
    return f"{column} ({unit})" if unit in ("s", "bytes") else column


def grid_unit(grid, column):
    for cell in grid.cells:
        if cell.column == column:
            return cell.unit
    return grid.unit


def summary(result):
    rounds = f"{result.rounds} round{'' if result.rounds == 1 else 's'}"
    state = "" if result.complete else ", incomplete"
    few = f"too few for intervals, which take {ENOUGH}"
    intervals = few if result.rounds < ENOUGH else f"intervals are {INTERVAL}"
    return f"{result.paper}. {rounds}{state}; medians, {intervals}."
