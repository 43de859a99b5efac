"""The result as a page of Markdown, the paper's number behind each of ours: for documentation."""

from . import words


def _text(text):
    return text.replace("|", "\\|").replace("\n", " ")


def _row(cells):
    return "| " + " | ".join(cells) + " |"


def _cell(cell):
    paper = words.paper(cell)
    return _text(words.ours(cell)) + (f" (paper {_text(paper)})" if paper else "")


def _table(grid):
    headings = [grid.row_title, *(words.heading(grid, column) for column in grid.columns)]
    yield f"**{_text(grid.title)}**"
    yield ""
    yield _row(map(_text, headings))
    yield _row(["---"] * len(headings))
    for row in grid.rows:
        yield _row([_text(row), *(_cell(grid.cell(row, column)) for column in grid.columns)])
    yield ""


def _facts(facts):
    yield _row(["benchmark", "here", "the paper"])
    yield _row(["---"] * 3)
    for one in facts:
        yield _row([_text(one.row), _text(one.ours), _text(one.paper)])
    yield ""


def _experiment(experiment):
    yield f"## {experiment.name}: {_text(experiment.title)}"
    yield ""
    for finding in experiment.findings:
        yield f"- {_text(finding.sentence)}"
    if experiment.findings:
        yield ""
    if experiment.facts:
        yield from _facts(experiment.facts)
    for grid in experiment.grids:
        yield from _table(grid)
    for note in experiment.notes:
        yield _text(note)
        yield ""
    for one in experiment.missing:
        yield f"Missing: {_text(one.run)}: {_text(one.reason)}"
        yield ""


def _lines(result):
    yield f"# {_text(result.title)}"
    yield ""
    yield _text(words.summary(result))
    yield ""
    yield f"`{' '.join(result.command)}` on: " + ", ".join(
        f"{name} {value}" for name, value in result.machine.items()
    )
    yield ""
    for remark in result.remarks:
        yield f"- {_text(remark)}"
    if result.remarks:
        yield ""
    for experiment in result.experiments:
        yield from _experiment(experiment)


def render(result):
    return "\n".join(_lines(result)).rstrip("\n") + "\n"
