"""What pages share: one file that needs nothing else. Styles, data and the plotting library are in
it; tables are plain HTML, so the numbers are there without scripts, too. The same parts give the
same bytes.

Functions give lines of HTML. What they take as text is escaped by text(); cells are HTML already.
"""

import html
import json
import re

from ..text.visible import visible
from . import plots_library

STYLE = """
:root { color-scheme: light dark; --text: #1a1a1a; --page: #fff; --quiet: #555; --line: #ddd;
  --name: #0072b2; --alarm: #a33; --odd: #fbf0ea; --so-so: #faf6ec; --good: #eef8f4; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e4e4; --page: #16181b; --quiet: #a8a8a8;
  --line: #3a3d42; --name: #6cb6ea; --alarm: #f09a8c; --odd: #3a2a22; --so-so: #35301f;
  --good: #1c332b; } }
body { font: 15px/1.45 sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--text); background: var(--page); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
a, :is(h2, h3) .name { color: var(--name); } h3 { font-size: 1.1rem; margin-top: 1.8rem; }
:is(h3, h4).table { font-size: 1rem; margin: 1rem 0 .3rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: right;
  vertical-align: top; }
th:first-child, td:first-child, table.named :is(th, td):nth-child(2), table.text :is(th, td) { text-align: left; }
td .paper { display: block; color: var(--quiet); font-size: .87em; }
table.values { font-size: .92em; } table.values :is(th, td) { padding: .3rem .5rem; }
table.values td { white-space: nowrap; }
tr.differs td { background: var(--odd); }
.answer { font-size: 1.15rem; margin: .6rem 0; }
.finding { padding: .4rem .7rem; border-left: .3rem solid #e69f00; background: var(--so-so); }
.finding.reproduced { border-color: #009e73; background: var(--good); }
.finding.not-reproduced { border-color: #d55e00; background: var(--odd); }
.note { color: var(--quiet); } .missing { color: var(--alarm); }
summary { cursor: pointer; } code { font-size: .9em; overflow-wrap: anywhere; }
@media print { body { max-width: none; margin: 0; font-size: 10pt; color: #000; background: #fff; }
  .scroll { overflow: visible; } table.values td { white-space: normal; }
  h2, h3, h4 { break-after: avoid; } [data-chart], tr { break-inside: avoid; } .modebar { display: none; } }
"""

# What the browser is to allow: what is in the page, and the pictures that plots are saved as.
MAY_LOAD = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:"
)

# A chart is drawn when it comes near to what the window shows. The others are drawn one by one while
# there is nothing else to do. All that are left are drawn before printing.
DRAW = """
const dark = matchMedia("(prefers-color-scheme: dark)");
const ink = dark.matches ? "#e4e4e4" : "#1a1a1a";
const themed = layout => {
  const line = dark.matches ? "#3a3d42" : "#e3e3e3";
  const out = {...layout, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: {...layout.font, color: ink}};
  for (const axis of Object.keys(layout).filter(name => /^[xy]axis/.test(name)))
    out[axis] = {gridcolor: line, zerolinecolor: line, ...layout[axis]};
  return out;
};
const withInk = data => data.map(
  trace => trace.error_y ? {...trace, error_y: {color: ink, ...trace.error_y}} : trace);
const waiting = new Map();
const drawNow = element => {
  const draw = waiting.get(element);
  waiting.delete(element);
  near.unobserve(element);
  if (draw) draw();
};
const near = new IntersectionObserver(
  seen => seen.filter(one => one.isIntersecting).forEach(one => drawNow(one.target)), {rootMargin: "50%"});
const drawNext = () => {
  const [next] = waiting.keys();
  if (next) { drawNow(next); idly(drawNext); }
};
const idly = action => requestIdleCallback(action, {timeout: 300});
const whenNear = (element, draw) => {
  if (!waiting.size) idly(drawNext);
  waiting.set(element, draw);
  near.observe(element);
};
addEventListener("beforeprint", () => [...waiting.keys()].forEach(drawNow));
const options = {displaylogo: false, responsive: true, displayModeBar: innerWidth < 600 ? false : "hover"};
for (const element of document.querySelectorAll("[data-chart]"))
  whenNear(element, () => {
    const chart = JSON.parse(document.getElementById(element.dataset.chart).textContent);
    Plotly.newPlot(element, withInk(chart.data), themed(chart.layout), options);
  });
dark.addEventListener("change", () => location.reload());
"""


def text(value):
    return html.escape(visible(value), quote=True)


def row(cells, tag="td", kind=""):
    begin = f'<tr class="{kind}">' if kind else "<tr>"
    return begin + "".join(f"<{tag}>{one}</{tag}>" for one in cells) + "</tr>"


def table(headings, rows, kind=""):
    """`rows`: lines made by row()."""
    begin = f'<table class="{kind}">' if kind else "<table>"
    yield f'<div class="scroll">{begin}<thead>{row(map(text, headings), "th")}</thead><tbody>'
    yield from rows
    yield "</tbody></table></div>"


def answer(sentences):
    """What a reader came for, first."""
    for one in sentences:
        yield f'<p class="answer"><strong>{text(one)}</strong></p>'


def heading(level, anchor, words):
    """`words`: HTML."""
    return f'<h{level} id="{text(anchor)}">{words}</h{level}>'


def link(anchor, words):
    return f'<a href="#{text(anchor)}">{text(words)}</a>'


def code(value):
    return f"<code>{text(value)}</code>"


def data(anchor, value):
    """What scripts of the page read, by JSON.parse."""
    # An unescaped "<" could end the element that the data is in.
    told = json.dumps(value, sort_keys=True, allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="{text(anchor)}">{told}</script>'


# plotly reads a part of HTML in its texts; these are ours. charts.label() is for names.
_MARKUP = re.compile("<(?!br>|extra>|/extra>)")


def _without_markup(value):
    """The figure, whatever is named in it."""
    if isinstance(value, dict):
        return {key: _without_markup(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_markup(one) for one in value]
    return _MARKUP.sub("&lt;", visible(value)) if isinstance(value, str) else value


def chart(chart_id, figure):
    """A figure of charts.py, drawn when it is seen. `chart_id`: unique on the page."""
    yield data(chart_id, _without_markup(figure))
    height = figure["layout"]["height"]  # kept free, so that nothing moves when it is drawn
    yield f'<div data-chart="{text(chart_id)}" style="min-height: {height}px"></div>'


def details(title, items):
    """Names and values, folded away."""
    yield f"<details><summary>{text(title)}</summary><div class='scroll'><table class='text'>"
    for name, value in items:
        yield row((text(name), code(value)))
    yield "</table></div></details>"


def document(title, body, script=""):
    """`script`: of this page alone, behind what draws its charts."""
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{MAY_LOAD}">',
        f"<title>{text(title)}</title><style>{STYLE}</style></head><body>",
        *body,
        f"<script>{plots_library.source()}</script><script>{DRAW}{script}</script>",
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"
