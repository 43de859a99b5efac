"""Texts that console and page share."""

from ..results.statistics import ENOUGH
from ..text.units import in_figures

INTERVAL = "95% percentile bootstrap"


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
    return f"{value} [{low}, {high}]"


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
