"""The result as tables on the terminal, the paper's number below each of ours."""

import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..results.result import NOT_YET
from ..text.visible import visible
from . import words

# Into a file or a pipe: wide enough that no number is broken.
WIDTH_ELSEWHERE = 180
STYLES = {"reproduced": "green", "not reproduced": "red", "undecided": "yellow"}


def _text(text, style=""):
    """Not as markup, which a name may hold."""
    return Text(visible(text), style=style)


def _table(grid):
    table = Table(title=_text(grid.title), title_justify="left", show_lines=True)
    table.add_column(_text(grid.row_title))
    for column in grid.columns:
        table.add_column(_text(words.heading(grid, column)), justify="right")
    for row in grid.rows:
        texts = []
        for column in grid.columns:
            cell = grid.cell(row, column)
            paper = words.paper(cell)
            text = _text(words.ours(cell))
            texts.append(text.append("\n").append(_text(f"paper {paper}", "dim")) if paper else text)
        table.add_row(_text(row), *texts)
    return table


def _facts(facts):
    table = Table(show_lines=True)
    for heading in ("benchmark", "here", "the paper"):
        table.add_column(heading)
    for one in facts:
        table.add_row(_text(one.row), _text(one.ours), _text(one.paper))
    return table


def _experiment(console, experiment):
    console.print()
    console.print(Text.assemble(_text(experiment.name, "bold"), "  ", _text(experiment.title)))
    for finding in experiment.findings:
        style = STYLES.get(finding.verdict, "yellow")
        console.print(_text(finding.sentence), style=style, soft_wrap=True)
    if experiment.facts:
        console.print(_facts(experiment.facts))
    for grid in experiment.grids:
        console.print(_table(grid))
    for note in experiment.notes:
        console.print(_text(note), style="dim", soft_wrap=True)
    for one in experiment.missing:
        if one.reason != NOT_YET:
            console.print(_text(f"missing: {one.run}: {one.reason}"), style="red", soft_wrap=True)
    if to_come := sum(one.reason == NOT_YET for one in experiment.missing):
        runs = f"{to_come} run{'' if to_come == 1 else 's'}"
        console.print(f"{NOT_YET}: {runs}", style="yellow", soft_wrap=True)


def _has_numbers(experiment):
    return any(cell.ours for grid in experiment.grids for cell in grid.cells)


def _is_to_come(experiment):
    """Whether nothing of it was measured, and nothing of it failed."""
    missing = experiment.missing
    return (
        bool(missing)
        and not _has_numbers(experiment)
        and all(one.reason == NOT_YET for one in missing)
    )


def show(result):
    width = None if sys.stdout.isatty() else WIDTH_ELSEWHERE
    console = Console(width=width, highlight=False)
    console.print(_text(result.title, "bold"))
    console.print(_text(words.summary(result)), soft_wrap=True)
    for remark in result.remarks:
        console.print(_text(remark), style="yellow", soft_wrap=True)
    for experiment in result.experiments:
        if not _is_to_come(experiment):
            _experiment(console, experiment)
    if to_come := [one.name for one in result.experiments if _is_to_come(one)]:
        console.print(_text(f"{NOT_YET}: {', '.join(to_come)}"), style="yellow", soft_wrap=True)
    console.print()
