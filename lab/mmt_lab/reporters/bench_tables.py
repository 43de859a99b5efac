"""The tables and plots of a result of `mmt bench`, as HTML."""

import math

from . import bench_charts, page
from .bench_figures import interval, is_latency, means_table, ratio_text, runs_table, value
from .words import METRICS, of


def _ratio(metric, ratio, with_interval=True):
    return ratio_text(bench_charts.estimate(ratio, len(metric.samples)), with_interval)


def _to_best_peer(name, with_interval):
    def text(cell):
        metric = cell.metric(name)
        return _ratio(metric, metric.to_best_peer, with_interval) if metric else ""

    return text


def _best_peer(cell):
    wall = cell.metric("wall")
    return wall.to_best_peer.against if wall and wall.to_best_peer else ""


_BEST = "the best peer"
# What a page has room for beside the terminal's columns.
BESIDE_RUNS = (
    ("best peer", _best_peer),
    (of(_BEST, "wall"), _to_best_peer("wall", True)),
    (of(_BEST, "peak_rss"), _to_best_peer("peak_rss", False)),
)


def runs(result, anchor):
    """What was measured of whole runs. `anchor`: unique on the page."""
    (_, *headings), rows = runs_table(result, True, BESIDE_RUNS).filled()
    lines = (
        page.row(map(page.text, (program, allocator.strip(), *cells)))
        for program, (allocator, *cells) in rows
    )
    yield from page.table(("program", "allocator", *headings), lines, "values named")
    for name in ("wall", "peak_rss"):
        if (figure := bench_charts.of_metric(result, name, METRICS[name])) is not None:
            yield from page.chart(f"chart-{anchor}-{name}", figure)


def _mean_to_best_peer(name):
    def text(cells):
        ratios = [one.to_best_peer for cell in cells if (one := cell.metric(name))]
        logs = [math.log(one.median) for one in ratios if one and one.median > 0]
        return f"{math.exp(sum(logs) / len(logs)):.2f}" if logs else ""

    return text


BESIDE_MEANS = tuple((of(_BEST, name), _mean_to_best_peer(name)) for name in ("wall", "peak_rss"))


def means(result):
    """Over programs, of what is relative to another allocator."""
    (_, *headings), rows = means_table(result, BESIDE_MEANS).filled()
    lines = (page.row(map(page.text, cells)) for _, cells in rows)
    yield from page.table(("allocator", *headings), lines, "values")


def _unit_of(program, name):
    return next((one.unit for cell in program.cells if (one := cell.metric(name))), None)


def reported(result, latency):
    """[(label, program, metric name)] of what the programs reported themselves: of calls' latency,
    or of all else."""
    return [
        (f"{program.label} {name}", program, name)
        for program in result.programs
        for name in program.metric_names()
        if name not in METRICS
        and (unit := _unit_of(program, name)) is not None
        and is_latency(name, unit) == latency
    ]


def _compared(metric):
    """A cell of a table: the value, and below it the ratios."""
    if metric is None:
        return ""
    ratios = [metric.to_glibc, metric.to_best_peer]
    if ratios[0] and ratios[1] and ratios[1].against == ratios[0].against:
        ratios.pop()
    below = "".join(
        f'<span class="paper">{page.text(f"{_ratio(metric, one)} {of(one.against)}")}</span>'
        for one in ratios
        if one
    )
    drawn = f" ({interval(metric)})" if interval(metric) else ""
    return page.text(value(metric) + drawn) + below


def metrics(result, rows, anchor):
    """`rows`: of reported(); `anchor`: unique on the page."""
    headings = ("program", "metric", *(one.name for one in result.allocators))
    lines = (
        page.row(
            (
                page.text(program.label),
                page.text(name),
                *(_compared(cell.metric(name)) for cell in program.cells),
            )
        )
        for _, program, name in rows
    )
    yield from page.table(headings, lines, "values named")
    # How many calls there are is no cost.
    costs = [row for row in rows if not row[2].endswith("_calls")]
    if (figure := bench_charts.relative(result, costs, "cost")) is not None:
        yield from page.chart(f"chart-{anchor}", figure)
