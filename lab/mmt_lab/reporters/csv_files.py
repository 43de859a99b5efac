"""The result as CSV after RFC 4180: one number of a table a line, and one sample a line.

Behind an experiment's tables come its relations: a line with the verdict, then one for each number that
it rests on. There `asked` has what was required, and `verdict` whether it is so.
"""

from ..text.plain_data import csv_of


VERDICTS = "Verdicts"  # in the place of a table's title
COLUMNS = (
    *("experiment", "table", "row", "column", "unit", "median", "low", "high", "samples", "paper"),
    *("asked", "verdict", "reason"),
)


def _numbers(ours, paper):
    values = ("", "", "", 0) if ours is None else (ours.value, ours.low, ours.high, ours.samples)
    return (*values, "" if paper is None else paper)


def _cells(experiment):
    for grid in experiment.grids:
        for cell in grid.cells:
            place = (experiment.name, grid.title, cell.row, cell.column, cell.unit)
            yield (*place, *_numbers(cell.ours, cell.paper), "", "", "")


def verdicts(experiment):
    """The lines of its relations."""
    for one in experiment.findings:
        place = (experiment.name, VERDICTS, one.claim)
        yield (*place, *[""] * (len(COLUMNS) - 5), one.verdict, one.reason)
        for part in one.parts:
            numbers = _numbers(part.ours, part.paper)
            yield (*place, part.label, part.unit, *numbers, part.asked, part.verdict, "")


def _results(result):
    for experiment in result.experiments:
        yield from _cells(experiment)
        yield from verdicts(experiment)


def render_results(result):
    return csv_of(COLUMNS, _results(result))


def render_samples(result):
    rows = (
        (one.run, one.metric, "" if one.round is None else one.round, one.value)
        for one in result.samples
    )
    return csv_of(("run", "metric", "round", "value"), rows)
