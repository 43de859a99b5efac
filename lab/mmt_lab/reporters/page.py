"""What pages share: one file that needs nothing else. Styles, data and the plotting library are in
it; tables are plain HTML, so the numbers are there without scripts, too. The same parts give the
same bytes.

Functions give lines of HTML. What they take as text is escaped by text(); cells are HTML already.
"""

import html
import json

from plotly.offline import get_plotlyjs

STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
  color: #1a1a1a; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
:is(h2, h3) .name { color: #0072b2; } h3 { font-size: 1.1rem; margin-top: 1.8rem; }
:is(h3, h4).table { font-size: 1rem; margin: 1rem 0 .3rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #ddd; padding: .3rem .7rem; text-align: right;
  vertical-align: top; }
th:first-child, td:first-child, table.text :is(th, td) { text-align: left; }
td .paper { display: block; color: #666; font-size: .87em; }
table.values { font-size: .92em; } table.values :is(th, td) { padding: .3rem .5rem; }
table.values td { white-space: nowrap; }
tr.differs td { background: #fbf0ea; }
.finding { padding: .4rem .7rem; border-left: .3rem solid #e69f00; background: #faf6ec; }
.finding.reproduced { border-color: #009e73; background: #eef8f4; }
.finding.not-reproduced { border-color: #d55e00; background: #fbf0ea; }
.note { color: #555; } .missing { color: #a33; }
summary { cursor: pointer; } code { font-size: .9em; overflow-wrap: anywhere; }
"""

# What the browser is to allow: what is in the page, and the pictures that plots are saved as.
MAY_LOAD = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:"
)

DRAW = """
for (const element of document.querySelectorAll("[data-chart]")) {
  const chart = JSON.parse(document.getElementById(element.dataset.chart).textContent);
  Plotly.newPlot(element, chart.data, chart.layout, {displaylogo: false, responsive: true});
}
"""


def text(value):
    return html.escape(str(value), quote=True)


def row(cells, tag="td", kind=""):
    begin = f'<tr class="{kind}">' if kind else "<tr>"
    return begin + "".join(f"<{tag}>{one}</{tag}>" for one in cells) + "</tr>"


def table(headings, rows, kind=""):
    """`rows`: lines made by row()."""
    begin = f'<table class="{kind}">' if kind else "<table>"
    yield f'<div class="scroll">{begin}<thead>{row(map(text, headings), "th")}</thead><tbody>'
    yield from rows
    yield "</tbody></table></div>"


def heading(level, anchor, words):
    """`words`: HTML."""
    return f'<h{level} id="{text(anchor)}">{words}</h{level}>'


def link(anchor, words):
    return f'<a href="#{text(anchor)}">{text(words)}</a>'


def code(value):
    return f"<code>{text(value)}</code>"


def chart(chart_id, figure):
    """A figure of charts.py, drawn when the page is opened. `chart_id`: unique on the page."""
    # An unescaped "<" could end the element that the data is in.
    data = json.dumps(figure, sort_keys=True, allow_nan=False).replace("<", "\\u003c")
    yield f'<script type="application/json" id="{text(chart_id)}">{data}</script>'
    yield f'<div data-chart="{text(chart_id)}"></div>'


def details(title, items):
    """Names and values, folded away."""
    yield f"<details><summary>{text(title)}</summary><div class='scroll'><table class='text'>"
    for name, value in items:
        yield row((text(name), code(value)))
    yield "</table></div></details>"


def document(title, body):
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{MAY_LOAD}">',
        f"<title>{text(title)}</title><style>{STYLE}</style></head><body>",
        *body,
        f"<script>{get_plotlyjs()}</script><script>{DRAW}</script>",
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"
