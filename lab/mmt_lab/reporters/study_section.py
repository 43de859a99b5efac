"""A study as HTML: its figures and tables, and how it was measured. Part of a page."""

from . import charts, page, words


def _cell(cell):
    paper = words.paper(cell)
    below = f'<span class="paper">paper {page.text(paper)}</span>' if paper else ""
    return page.text(words.ours(cell)) + below


def _grid(grid, chart_id, level):
    yield f'<h{level} class="table">{page.text(grid.title)}</h{level}>'
    headings = [grid.row_title, *(words.heading(grid, column) for column in grid.columns)]
    rows = (
        page.row([page.text(row), *(_cell(grid.cell(row, one)) for one in grid.columns)])
        for row in grid.rows
    )
    yield from page.table(headings, rows)
    figure = charts.chart_of(grid)
    if figure is not None:
        yield from page.chart(chart_id, figure)


def _facts(facts):
    rows = (page.row(map(page.text, (one.row, one.ours, one.paper))) for one in facts)
    yield from page.table(("benchmark", "here", "the paper"), rows, "text")


def _finding(finding):
    name = finding.verdict.replace(" ", "-")
    return f'<p class="finding {page.text(name)}">{page.text(finding.sentence)}</p>'


def _experiment(experiment, prefix, level):
    name = f'<span class="name">{page.text(experiment.name)}</span>'
    yield page.heading(level, prefix + experiment.name, f"{name} {page.text(experiment.title)}")
    yield from map(_finding, experiment.findings)
    if experiment.facts:
        yield from _facts(experiment.facts)
    for number, grid in enumerate(experiment.grids):
        yield from _grid(grid, f"chart-{prefix}{experiment.name}-{number}", level + 1)
    for note in experiment.notes:
        yield f'<p class="note">{page.text(note)}</p>'
    for one in experiment.missing:
        yield f'<p class="missing">missing: {page.text(one.run)}: {page.text(one.reason)}</p>'


def title(result):
    return f"mmt study {result.study}: {result.title}"


def answers(result):
    """Sentences: how many of the paper's relations were found here."""
    verdicts = [finding.verdict for one in result.experiments for finding in one.findings]
    counts = [f"{verdicts.count(one)} {one}" for one in dict.fromkeys(verdicts)]
    return [f"{result.title}: {', '.join(counts) or 'nothing is claimed'}."]


def summary(result):
    """What was measured, and what disturbs it."""
    yield f"<p>{page.text(words.summary(result))}</p>"
    for remark in result.remarks:
        yield f'<p class="note">{page.text(remark)}</p>'


def contents(result, prefix=""):
    """Links to the figures and tables, with what became of their relations."""
    yield "<ul>"
    for one in result.experiments:
        verdicts = ", ".join(finding.verdict for finding in one.findings)
        link = page.link(prefix + one.name, one.name)
        became = f": {page.text(verdicts)}" if verdicts else ""
        yield f"<li>{link} {page.text(one.title)}{became}</li>"
    yield "</ul>"


def body(result, prefix="", level=2):
    """`prefix`: of anchors, unique on the page; `level`: of the headings."""
    for one in result.experiments:
        yield from _experiment(one, prefix, level)
    yield page.heading(level, f"{prefix}measured", "How it was measured")
    yield f"<p>{page.code(' '.join(result.command))}</p>"
    yield from page.details("The machine", result.machine.items())
    yield from page.details("Settings", result.settings.items())
    yield from page.details("Commands", result.commands.items())
