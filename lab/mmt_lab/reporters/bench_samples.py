"""The samples of a bench themselves: a point a run, a figure a program."""

import itertools

from ..text import bench_units
from . import charts, page
from .words import METRICS


def has_any(result):
    return any(cell.metric("wall") for program in result.programs for cell in program.cells)


def charts_of(result, anchor):
    """`anchor`: unique on the page."""
    yield "<p>Each point is one run, in the order of the rounds; the line is the median.</p>"
    for number, program in enumerate(result.programs):
        if any(cell.metric("wall") for cell in program.cells):
            yield from page.chart(f"chart-{anchor}-{number}", _figure(result, program))


def _figure(result, program):
    data, values = [], []
    for colour, allocator, cell in zip(
        itertools.cycle(charts.COLOURS), result.allocators, program.cells, strict=False
    ):
        wall = cell.metric("wall")
        if wall is None:
            continue
        walls = [one.value for one in wall.samples]
        values += walls
        data.append(
            {
                "type": "box",
                "name": charts.label(allocator.title),
                "y": walls,
                "boxpoints": "all",
                "jitter": 0.5,
                "pointpos": 0,
                "fillcolor": "rgba(0,0,0,0)",
                "line": {"width": 1},
                "marker": {"color": colour, "size": 6},
                "text": [
                    f"round {one.round + 1}: {bench_units.in_words(one.value, 's')}"
                    for one in wall.samples
                ],
                "hovertemplate": "%{text}<extra>" + charts.label(allocator.title) + "</extra>",
            }
        )
    layout = charts.layout_of_bars(f"{METRICS['wall']} (s)")
    layout |= {"title": {"text": charts.label(program.label), "font": {"size": 14}}, "showlegend": False}
    layout["xaxis"]["title"] = {"text": "allocator"}
    charts.spread(layout["yaxis"], values)
    return {"data": data, "layout": layout}
