"""The result as CSV after RFC 4180: one number of a table a line, and one sample a line."""

from ..text.plain_data import csv_of


def _results(result):
    for experiment in result.experiments:
        for grid in experiment.grids:
            for cell in grid.cells:
                ours = cell.ours
                numbers = (
                    ("", "", "", 0)
                    if ours is None
                    else (ours.value, ours.low, ours.high, ours.samples)
                )
                paper = "" if cell.paper is None else cell.paper
                place = (experiment.name, grid.title, cell.row, cell.column, cell.unit)
                yield (*place, *numbers, paper)


def render_results(result):
    place = ("experiment", "table", "row", "column", "unit")
    return csv_of((*place, "median", "low", "high", "samples", "paper"), _results(result))


def render_samples(result):
    rows = (
        (one.run, one.metric, "" if one.round is None else one.round, one.value)
        for one in result.samples
    )
    return csv_of(("run", "metric", "round", "value"), rows)
