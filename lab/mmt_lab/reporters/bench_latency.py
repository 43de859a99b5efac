"""How long calls of malloc and free take, as curves over the share of calls that take no longer."""

import itertools

from . import charts, page

CALLS = ("malloc", "free")
# The share of calls that take longer, and the metric that says how long the others take at most.
_POINTS = ((0.5, "p50"), (0.1, "p90"), (0.01, "p99"), (0.001, "p999"), (0.0001, "p9999"))
_TICKS = ("50%", "90%", "99%", "99.9%", "99.99%")


def has_any(result):
    return any(_points(cell, one) for p in result.programs for cell in p.cells for one in CALLS)


def _points(cell, call):
    """[(share, ns)], of what was measured."""
    metrics = ((share, cell.metric(f"{call}_call_{name}")) for share, name in _POINTS)
    return [(share, one.median) for share, one in metrics if one and one.unit == "ns"]


def curves(result, anchor):
    """`anchor`: unique on the page."""
    yield "<p>At 99%, one call of a hundred takes longer. Medians over the rounds.</p>"
    for number, program in enumerate(result.programs):
        for call in CALLS:
            if any(_points(cell, call) for cell in program.cells):
                yield from page.chart(
                    f"chart-{anchor}-{number}-{call}", _figure(result, program, call)
                )


def _figure(result, program, call):
    data, values = [], []
    for colour, allocator, cell in zip(
        itertools.cycle(charts.COLOURS), result.allocators, program.cells, strict=False
    ):
        points = _points(cell, call)
        if not points:
            continue
        values += [value for _, value in points]
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": charts.label(allocator.title),
                "x": [share for share, _ in points],
                "y": [value for _, value in points],
                "line": {"color": colour},
                "hovertemplate": "%{y:.3~s} ns<extra>" + charts.label(allocator.title) + "</extra>",
            }
        )
    layout = charts.layout_of_bars(f"longest time of {call} (ns)")
    layout["title"] = {"text": charts.label(f"{program.label}: {call}"), "font": {"size": 14}}
    layout["margin"]["b"] = 90
    layout["legend"]["y"] = -0.3
    layout["xaxis"] = {
        "type": "log",
        "autorange": "reversed",
        "title": {"text": "share of calls that take no longer"},
        "tickvals": [share for share, _ in _POINTS],
        "ticktext": list(_TICKS),
    }
    charts.spread(layout["yaxis"], values)
    return {"data": data, "layout": layout}
