"""The tables and plots of a result of `mmt bench`, as HTML."""

import math

from ..text import bench_units
from ..results.statistics import ENOUGH
from . import bench_charts, page

BUILT_IN = ("wall", "cpu", "peak_rss", "minor_faults", "major_faults")


def _value(metric):
    return bench_units.in_words(metric.median, metric.unit) if metric else ""


def _interval(found, in_words):
    return f"[{in_words(found.low)}, {in_words(found.high)}]"


def _with_interval(metric):
    def in_words(value):
        return bench_units.in_words(value, metric.unit)

    value = in_words(metric.median)
    if metric.low == metric.high or len(metric.samples) < ENOUGH:
        return value
    return f"{value} {_interval(metric, in_words)}"


def _ratio(ratio, interval=True):
    """`interval`: whether to show it, where there are samples enough."""
    if ratio is None:
        return ""
    value = f"{ratio.median:.3f}"
    if not interval or ratio.low == ratio.high:
        return value
    return f"{value} {_interval(ratio, '{:.3f}'.format)}"


def _run(program, cell):
    if cell.problem:
        return page.row((page.text(program.label), page.text(cell.allocator), "FAILED"))
    wall, rss = cell.metric("wall"), cell.metric("peak_rss")
    best = wall.to_best_peer if wall else None
    many = wall is not None and len(wall.samples) >= ENOUGH
    texts = (
        program.label,
        cell.allocator,
        _with_interval(wall) if wall else "",
        _ratio(wall.to_glibc if wall else None, many),
        _ratio(best, many),
        best.against if best else "",
        _value(cell.metric("cpu")),
        _value(rss),
        _ratio(rss.to_glibc if rss else None, interval=False),
        _ratio(rss.to_best_peer if rss else None, interval=False),
        _value(cell.metric("minor_faults")),
        _value(cell.metric("major_faults")),
        len(wall.samples) if wall else 0,
    )
    return page.row(map(page.text, texts))


def runs(result, anchor):
    """What was measured of whole runs. `anchor`: unique on the page."""
    headings = ("program", "allocator", "wall", "vs glibc", "vs best peer", "best peer", "CPU",
                "peak RSS", "RSS vs glibc", "RSS vs best peer", "minor faults", "major",
                "runs")  # fmt: skip
    rows = (_run(program, cell) for program in result.programs for cell in program.cells)
    yield from page.table(headings, rows, "values named")
    for name, axis in (("wall", "wall time"), ("peak_rss", "peak RSS")):
        if (figure := bench_charts.of_metric(result, name, axis)) is not None:
            yield from page.chart(f"chart-{anchor}-{name}", figure)


def _geometric_mean(ratios):
    """None where there are none above zero."""
    logs = [math.log(one.median) for one in ratios if one and one.median > 0]
    return math.exp(sum(logs) / len(logs)) if logs else None


def means(result):
    """Over programs, of what is relative to another allocator."""
    headings = ("allocator", "programs", "wall vs glibc", "wall vs best peer", "CPU vs glibc",
                "RSS vs glibc", "RSS vs best peer")  # fmt: skip
    rows = []
    for at, allocator in enumerate(result.allocators):
        cells = [program.cells[at] for program in result.programs]
        counted = [one for one in cells if one.metric("wall")]
        texts = [allocator.name, len(counted)]
        for name, against in (
            ("wall", "to_glibc"),
            ("wall", "to_best_peer"),
            ("cpu", "to_glibc"),
            ("peak_rss", "to_glibc"),
            ("peak_rss", "to_best_peer"),
        ):
            metrics = [one for cell in cells if (one := cell.metric(name))]
            mean = _geometric_mean([getattr(one, against) for one in metrics])
            texts.append("" if mean is None else f"{mean:.3f}")
        rows.append(page.row(map(page.text, texts)))
    yield from page.table(headings, rows, "values")


def _unit_of(program, name):
    return next((one.unit for cell in program.cells if (one := cell.metric(name))), None)


def _is_latency(name, unit):
    return unit == "ns" or name.startswith(("malloc_", "free_"))


def reported(result, latency):
    """[(label, program, metric name)] of what the programs reported themselves: of calls' latency,
    or of all else."""
    return [
        (f"{program.label} {name}", program, name)
        for program in result.programs
        for name in program.metric_names()
        if name not in BUILT_IN
        and (unit := _unit_of(program, name)) is not None
        and _is_latency(name, unit) == latency
    ]


def _compared(metric):
    """A cell of a table: the value, and below it the ratios."""
    if metric is None:
        return ""
    ratios = [metric.to_glibc, metric.to_best_peer]
    if ratios[0] and ratios[1] and ratios[1].against == ratios[0].against:
        ratios.pop()
    many = len(metric.samples) >= ENOUGH
    below = "".join(
        f'<span class="paper">{page.text(f"{_ratio(one, many)} of {one.against}")}</span>'
        for one in ratios
        if one
    )
    return page.text(_with_interval(metric)) + below


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
