"""The result as one page that needs nothing else: styles, data and the plotting library are in it.

The same result gives the same bytes. Tables are plain HTML, so the numbers are there without
scripts, too.
"""

import html
import json

from plotly.offline import get_plotlyjs

from . import charts, words

STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
  color: #1a1a1a; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h2 .name { color: #0072b2; } h3 { font-size: 1rem; margin-bottom: .3rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #ddd; padding: .3rem .7rem; text-align: right;
  vertical-align: top; }
th:first-child, td:first-child, table.text :is(th, td) { text-align: left; }
td .paper { display: block; color: #666; font-size: .87em; }
.finding { padding: .4rem .7rem; border-left: .3rem solid #e69f00; background: #faf6ec; }
.finding.reproduced { border-color: #009e73; background: #eef8f4; }
.finding.not-reproduced { border-color: #d55e00; background: #fbf0ea; }
.note { color: #555; } .missing { color: #a33; }
summary { cursor: pointer; } code { font-size: .9em; overflow-wrap: anywhere; }
"""

DRAW = """
for (const element of document.querySelectorAll("[data-chart]")) {
  const chart = JSON.parse(document.getElementById(element.dataset.chart).textContent);
  Plotly.newPlot(element, chart.data, chart.layout, {displaylogo: false, responsive: true});
}
"""


def _text(value):
    return html.escape(str(value), quote=True)


def _row(cells, tag="td"):
    return "<tr>" + "".join(f"<{tag}>{one}</{tag}>" for one in cells) + "</tr>"


def _cell(cell):
    paper = words.paper(cell)
    below = f'<span class="paper">paper {_text(paper)}</span>' if paper else ""
    return _text(words.ours(cell)) + below


def _grid(grid, chart_id):
    headings = [_text(words.heading(grid, column)) for column in grid.columns]
    yield f'<h3>{_text(grid.title)}</h3><div class="scroll"><table>'
    yield "<thead>" + _row([_text(grid.row_title), *headings], "th") + "</thead><tbody>"
    for row in grid.rows:
        yield _row([_text(row), *(_cell(grid.cell(row, one)) for one in grid.columns)])
    yield "</tbody></table></div>"
    chart = charts.chart_of(grid)
    if chart is None:
        return
    # "</" would end the element that the data is in.
    data = json.dumps(chart, sort_keys=True, allow_nan=False).replace("</", "<\\/")
    yield f'<script type="application/json" id="{chart_id}">{data}</script>'
    yield f'<div data-chart="{chart_id}"></div>'


def _facts(facts):
    yield '<div class="scroll"><table class="text"><thead>'
    yield _row(("benchmark", "here", "the paper"), "th") + "</thead><tbody>"
    for one in facts:
        yield _row((_text(one.row), _text(one.ours), _text(one.paper)))
    yield "</tbody></table></div>"


def _finding(finding):
    name = finding.verdict.replace(" ", "-")
    return f'<p class="finding {name}">{_text(finding.sentence)}</p>'


def _experiment(experiment):
    name = f'<span class="name">{_text(experiment.name)}</span>'
    yield f'<h2 id="{_text(experiment.name)}">{name} {_text(experiment.title)}</h2>'
    yield from map(_finding, experiment.findings)
    if experiment.facts:
        yield from _facts(experiment.facts)
    for number, grid in enumerate(experiment.grids):
        yield from _grid(grid, f"chart-{experiment.name}-{number}")
    for note in experiment.notes:
        yield f'<p class="note">{_text(note)}</p>'
    for one in experiment.missing:
        yield f'<p class="missing">missing: {_text(one.run)}: {_text(one.reason)}</p>'


def _details(title, items):
    yield f"<details><summary>{_text(title)}</summary><div class='scroll'><table class='text'>"
    for name, value in items:
        yield _row((_text(name), f"<code>{_text(value)}</code>"))
    yield "</table></div></details>"


def _body(result):
    yield f"<h1>{_text(result.title)}</h1><p>{_text(words.summary(result))}</p>"
    for remark in result.remarks:
        yield f'<p class="missing">{_text(remark)}</p>'
    yield "<ul>"
    for one in result.experiments:
        verdicts = ", ".join(finding.verdict for finding in one.findings)
        link = f'<a href="#{_text(one.name)}">{_text(one.name)}</a>'
        yield f"<li>{link} {_text(one.title)}{': ' if verdicts else ''}{_text(verdicts)}</li>"
    yield "</ul>"
    for one in result.experiments:
        yield from _experiment(one)
    yield "<h2>How it was measured</h2>"
    yield f"<p><code>{_text(' '.join(result.command))}</code></p>"
    yield from _details("The machine", result.machine.items())
    yield from _details("Settings", result.settings.items())
    yield from _details("Commands", result.commands.items())


def render(result):
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_text(result.title)}</title><style>{STYLE}</style></head><body>",
        *_body(result),
        f"<script>{get_plotlyjs()}</script><script>{DRAW}</script>",
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"
