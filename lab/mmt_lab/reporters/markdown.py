"""The result as a page of Markdown, the paper's number behind each of ours: for documentation."""

import re

from ..text.visible import visible
from . import words

# What begins HTML, code, another cell, or makes a link.
_MARKS = {"<": "&lt;", "`": "\\`", "|": "\\|", "](": "]\\("}


def text(value):
    """A name or a sentence, on one line, that is nothing but text."""
    shown = visible(value)
    for mark, plain in _MARKS.items():
        shown = shown.replace(mark, plain)
    return shown


def code(value):
    """On one line; the fence is longer than any in it."""
    shown = visible(value)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    space = " " if "`" in shown else ""
    return f"{fence}{space}{shown}{space}{fence}"


def row(cells):
    return _joined(map(text, cells))


def _joined(cells):
    return f"| {' | '.join(cells)} |"


def rule(columns):
    """Below the headings."""
    return _joined(["---"] * columns)


def _cell(cell):
    paper = words.paper(cell)
    return text(words.ours(cell)) + (f" (paper {text(paper)})" if paper else "")


def _table(grid):
    headings = [grid.row_title, *(words.heading(grid, column) for column in grid.columns)]
    yield f"**{text(grid.title)}**"
    yield ""
    yield row(headings)
    yield rule(len(headings))
    for name in grid.rows:
        yield _joined([text(name), *(_cell(grid.cell(name, column)) for column in grid.columns)])
    yield ""


def _facts(facts):
    yield row(["benchmark", "here", "the paper"])
    yield rule(3)
    for one in facts:
        yield row([one.row, one.ours, one.paper])
    yield ""


def _experiment(experiment):
    yield f"## {text(experiment.name)}: {text(experiment.title)}"
    yield ""
    for finding in experiment.findings:
        yield f"- {text(finding.sentence)}"
    if experiment.findings:
        yield ""
    if experiment.facts:
        yield from _facts(experiment.facts)
    for grid in experiment.grids:
        yield from _table(grid)
    for note in experiment.notes:
        yield text(note)
        yield ""
    for one in experiment.missing:
        yield f"Missing: {text(one.run)}: {text(one.reason)}"
        yield ""


def _lines(result):
    yield f"# {text(result.title)}"
    yield ""
    yield text(words.summary(result))
    yield ""
    yield f"{code(' '.join(result.command))} on: " + ", ".join(
        text(f"{name} {value}") for name, value in result.machine.items()
    )
    yield ""
    for remark in result.remarks:
        yield f"- {text(remark)}"
    if result.remarks:
        yield ""
    for experiment in result.experiments:
        yield from _experiment(experiment)


def render(result):
    return "\n".join(_lines(result)).rstrip("\n") + "\n"
