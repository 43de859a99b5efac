"""Figures of `mmt bench`: a group of bars a program, a bar an allocator."""

import itertools

from ..text import bench_units
from ..results.statistics import Estimate
from . import charts


def _unique(names):
    """Bars of one name would be drawn at one place."""
    seen = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"


def estimate(found, samples):
    """The estimate of a metric or a ratio: both have a median with its interval."""
    return found and Estimate(found.median, found.low, found.high, samples)


def _figure(result, rows, pick, in_words, title, line=None):
    """`rows`: [(label, program, metric name)]; `pick`: what is drawn of a metric."""
    labels = list(_unique(label for label, _, _ in rows))
    data = []
    for colour, (at, allocator) in zip(
        itertools.cycle(charts.COLOURS), enumerate(result.allocators), strict=False
    ):
        metrics = [program.cells[at].metric(name) for _, program, name in rows]
        estimates = [
            estimate(pick(metric), len(metric.samples)) if metric else None for metric in metrics
        ]
        texts = [in_words(one.value) if one else "" for one in estimates]
        data.append(charts.measured_bars(allocator.name, labels, estimates, texts, colour))
    layout = charts.layout_of_bars(title)
    layout["xaxis"]["title"] = {"text": "program"}
    charts.spread(layout["yaxis"], [y for trace in data for y in trace["y"] if y is not None])
    layout["margin"]["b"] = 90
    layout["legend"] = {"orientation": "h", "y": 1.15}
    layout["xaxis"]["automargin"] = True
    if line is not None:
        pen = {"color": "#8a8a8a", "width": 1, "dash": "dot"}
        ends = {"x0": 0, "x1": 1, "y0": line, "y1": line}
        layout["shapes"] = [{"type": "line", "xref": "paper", "line": pen, **ends}]
    return {"data": data, "layout": layout}


def _measured(rows):
    return [
        metric
        for _, program, name in rows
        for cell in program.cells
        if (metric := cell.metric(name))
    ]


def of_metric(result, name, title):
    """One metric of all programs: relative to glibc where it was measured beside it, else in its
    unit. None where no pair has it."""
    rows = [(program.label, program, name) for program in result.programs]
    metrics = _measured(rows)
    if not metrics:
        return None
    if any(one.to_glibc for one in metrics):
        return relative(result, rows, title)
    unit = metrics[0].unit

    def in_words(value):
        return bench_units.in_words(value, unit)

    return _figure(result, rows, lambda one: one, in_words, f"{title} ({unit})")


def relative(result, rows, title):
    """Ratios to glibc. `rows`: [(label, program, metric name)]. None where there is no ratio."""
    if not any(one.to_glibc for one in _measured(rows)):
        return None
    return _figure(
        result, rows, lambda one: one.to_glibc, "{:.3f}".format, f"{title}, glibc = 1", line=1
    )
