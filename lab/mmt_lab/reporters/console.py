"""The result as tables on the terminal, the paper's number below each of ours."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..results.result import NOT_YET
from ..text.text_table import terminal_width
from ..text.visible import visible
from . import words

# The width of names of rows; longer ones are wrapped.
_NAME_WIDTH = 30
_GAP = 2
STYLES = {"reproduced": "green", "not reproduced": "red", "undecided": "yellow"}


def _text(text, style=""):
    """Not as markup, which a name may hold."""
    return Text(visible(text), style=style)


def _cell(cell):
    paper = words.paper(cell)
    ours = _text(words.ours(cell))
    return ours.append("\n").append(_text(f"paper {paper}", "dim")) if paper else ours


def _column_width(heading, cells):
    """Numbers stay whole; a heading is broken between its words."""
    whole = [line for cell in cells for line in cell.plain.split("\n")]
    return max(map(len, [*visible(heading).split(), *whole]), default=0)


def _side_by_side(widths, room):
    """Numbers of columns, in as few groups as `room` has place for; at least one in each."""
    groups, left = [], 0
    for at, width in enumerate(widths):
        if not groups or width + _GAP > left:
            groups.append([])
            left = room
        groups[-1].append(at)
        left -= width + _GAP
    return groups


def _plain_table(**more):
    return Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, _GAP, 0, 0), pad_edge=False, **more)


def _tables(grid, width):
    """One, or several below each other where its columns need more than `width`."""
    headings = [words.heading(grid, column) for column in grid.columns]
    columns = [[_cell(grid.cell(row, column)) for row in grid.rows] for column in grid.columns]
    widths = [_column_width(*one) for one in zip(headings, columns, strict=True)]
    name_width = min(_NAME_WIDTH, max(map(len, map(visible, (grid.row_title, *grid.rows)))))
    title = grid.title
    for group in _side_by_side(widths, width - name_width):
        table = _plain_table(title=_text(title), title_justify="left")
        table.add_column(_text(grid.row_title), max_width=name_width)
        for at in group:
            table.add_column(_text(headings[at]), justify="right", min_width=widths[at])
        for row, name in enumerate(grid.rows):
            table.add_row(_text(name), *(columns[at][row] for at in group))
        yield table
        title = ""


def _facts(facts):
    table = _plain_table()
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
        console.print(_text(finding.sentence), style=style)
    if experiment.facts:
        console.print(_facts(experiment.facts))
    for grid in experiment.grids:
        for table in _tables(grid, console.width):
            console.print()
            console.print(table)
    for note in experiment.notes:
        console.print(_text(note), style="dim")
    for reason, names in _by_reason(experiment.missing).items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        console.print(_text(f"missing: {names[0]}{more}: {reason}"), style="red")
    if to_come := sum(one.reason == NOT_YET for one in experiment.missing):
        runs = f"{to_come} run{'' if to_come == 1 else 's'}"
        console.print(f"{NOT_YET}: {runs}", style="yellow")


def _by_reason(missing):
    """{reason: [run]} of what failed: many fail for one."""
    found = {}
    for one in missing:
        if one.reason != NOT_YET:
            found.setdefault(one.reason, []).append(one.run)
    return found


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
    console = Console(width=terminal_width(), highlight=False)
    console.print(_text(result.title, "bold"))
    console.print(_text(words.summary(result)))
    for remark in result.remarks:
        console.print(_text(remark), style="yellow")
    for experiment in result.experiments:
        if not _is_to_come(experiment):
            _experiment(console, experiment)
    if to_come := [one.name for one in result.experiments if _is_to_come(one)]:
        console.print(_text(f"{NOT_YET}: {', '.join(to_come)}"), style="yellow")
    console.print()
