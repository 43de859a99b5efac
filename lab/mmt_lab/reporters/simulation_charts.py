"""Charts of a simulation: the paper's boxplots, speed against space, lengths of searches."""

import math

from ..simulate import figures
from . import charts, label_places

# The paper's figures: (anchor, title, axis, figures that are drawn, only the best)
BOXES = (
    ("figure-3", "Figure 3: nodes searched at allocation", "nodes, mean", ("alloc",), False),
    ("figure-4", "Figure 4: the same, the better ones", "nodes, mean", ("alloc",), True),
    ("figure-5", "Figure 5: calls for more memory", "calls", ("calls",), False),
    ("figure-6", "Figure 6: nodes searched at allocation and free, the better ones",
     "nodes, mean", ("both",), True),
    ("figure-7", "Figure 7: free chunks", "chunks, mean", ("chunks",), False),
    ("figure-8", "Figure 8: internal fragmentation", "share of what was given out",
     ("internal",), False),
    ("figure-9", "Figure 9: the longest search", "nodes", ("worst",), False),
)  # fmt: skip
# The paper shows eight of its twelve as the better ones; here those with the fewest nodes.
BETTER = 8


def better(simulation):
    names = [one for one in simulation.model_names() if figures.ranked(simulation, one)]
    ranked = sorted(names, key=lambda one: figures.median(simulation.of_model(one), "alloc"))
    return [one for one in names if one in ranked[:BETTER]]


def boxes(simulation, axis, chosen, only_better):
    names = better(simulation) if only_better else simulation.model_names()
    data, values = [], []
    for name in names:
        results = simulation.of_model(name)
        y = [figures.FIGURES[chosen[0]](one) for one in results]
        values += y
        data.append(
            {
                "type": "box",
                "name": charts.label(name),
                "y": y,
                "text": [charts.label(one["trace"]) for one in results],
                "boxpoints": "all",
                "jitter": 0.3,
                "pointpos": 0,
                "quartilemethod": "inclusive",
                "marker": {"color": charts.COLOURS[0], "size": 4},
                "line": {"width": 1},
                "showlegend": False,
            }
        )
    layout = charts.layout_of_bars(axis)
    layout["xaxis"]["automargin"] = True
    charts.spread(layout["yaxis"], values)
    return {"data": data, "layout": layout}


def _is_best(points, x, y):
    """Nothing is better in one and no worse in the other."""
    return not any((a <= x and b < y) or (a < x and b <= y) for a, b in points)


def _in_shares(points):
    """Where points lie, from 0 to 1, on the axes that spread() makes."""
    axes = []
    for values in zip(*points, strict=True):
        axis = {}
        charts.spread(axis, values)
        scaled = [math.log(one) for one in values] if axis else values
        low, high = min(scaled), max(scaled)
        axes.append([(one - low) / ((high - low) or 1) for one in scaled])
    return list(zip(*axes, strict=True))


def speed_and_space(simulation):
    """Each model as a point, those that no other beats in both joined by a line."""
    points = {}
    for name in simulation.model_names():
        results = simulation.of_model(name)
        over = figures.median_over_bound(simulation, name)
        if results and over is not None:
            points[name] = (figures.median(results, "both"), over)
    best = sorted(
        (x, y, name)
        for name, (x, y) in points.items()
        if _is_best([other for one, other in points.items() if one != name], x, y)
    )
    data = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": "no other is better in both",
            "x": [x for x, _, _ in best],
            "y": [y for _, y, _ in best],
            "line": {"color": charts.PAPER_COLOUR, "shape": "hv"},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "mode": "markers+text",
            "name": "models",
            "x": [x for x, _ in points.values()],
            "y": [y for _, y in points.values()],
            "text": [charts.label(one) for one in points],
            "textposition": label_places.places(_in_shares(points.values()), list(points)),
            "marker": {"color": charts.COLOURS[0], "size": 9},
            "hovertemplate": "%{text}<br>%{x:.3r} nodes, %{y:.3f} times the most live<extra></extra>",
        },
    ]
    layout = charts.layout_of_bars("peak over the most that was live")
    layout["height"] = 460
    layout["yaxis"].pop("rangemode")
    layout["xaxis"] = {"title": {"text": "nodes searched at allocation and free, mean"}}
    xs = [x for x, _ in points.values()]
    charts.spread(layout["xaxis"], xs)
    charts.spread(layout["yaxis"], [y for _, y in points.values()])
    return {"data": data, "layout": layout}
