"""The figures of `mmt bench` as tables of text, for terminal, Markdown and page: whole runs, what
programs report, means."""

from ..text import bench_units, units
from ..bench import answer
from ..bench.tell import ratio_of
from ..results.statistics import ENOUGH
from ..text.text_table import Column, TextTable
from .words import METRICS, of


def value(metric):
    return bench_units.in_words(metric.median, metric.unit) if metric else ""


def interval(metric):
    if metric is None or len(metric.samples) < ENOUGH:
        return ""
    return f"{bench_units.in_words(metric.low, metric.unit)} to {bench_units.in_words(metric.high, metric.unit)}"


def ratio(mine, other, with_interval=True):
    """Cost over cost of two metrics, as its text."""
    if mine is None or other is None:
        return ""
    if mine is other:
        return "1"
    return ratio_text(ratio_of(mine, other), with_interval)


def ratio_text(estimate, with_interval=True):
    if estimate is None:
        return ""
    text = f"{estimate.value:.2f}"
    if not with_interval or estimate.samples < ENOUGH:
        return text
    return units.with_interval(text, f"{estimate.low:.2f}", f"{estimate.high:.2f}")


def runs_table(result, wide, beside=()):
    """`beside`: further columns, [(title, text of a cell)]."""
    reference = answer.reference_of(result)
    against = result.allocators[reference].name
    columns = [
        Column("", left=True),
        Column(METRICS["wall"]),
        Column(f"{of(against)} (95% interval)", left=True, rank=1),
        Column(METRICS["cpu"], rank=2),
        Column(METRICS["peak_rss"], rank=3),
    ]
    if wide:
        columns += [
            Column(title, left=title.startswith("interval"))
            for title in (
                of(against, "cpu"), of(against, "peak_rss"), METRICS["minor_faults"],
                METRICS["major_faults"], "runs", f"interval of the {METRICS['wall']}",
            )
        ]  # fmt: skip
    table = TextTable([*columns, *(Column(title) for title, _ in beside)])
    for program in result.programs:
        table.add_section(program.label)
        base = program.cells[reference]
        for allocator, cell in zip(result.allocators, program.cells, strict=True):
            name = f"  {allocator.title}"
            wall = cell.metric("wall")
            if wall is None:
                table.add(name, "FAILED" if cell.problem else "")
                continue
            cpu, rss = cell.metric("cpu"), cell.metric("peak_rss")
            cells = [name, value(wall), ratio(wall, base.metric("wall")), value(cpu), value(rss)]
            if wide:
                cells += [
                    ratio(cpu, base.metric("cpu"), False),
                    ratio(rss, base.metric("peak_rss"), False),
                    value(cell.metric("minor_faults")),
                    value(cell.metric("major_faults")),
                    str(len(wall.samples)),
                    interval(wall),
                ]
            table.add(*cells, *(text(cell) for _, text in beside))
    return table


def is_latency(name, unit):
    return unit == "ns" or name.startswith(("malloc_", "free_"))


def metrics_table(result, latency):
    """One row a metric, one column an allocator, then what the first of ours is worth."""
    reference = answer.reference_of(result)
    subjects = answer.subjects_of(result)
    columns = [Column("", left=True), *(Column(one.name) for one in result.allocators)]
    if subjects:
        names = (result.allocators[at].name for at in (subjects[0], reference))
        columns.append(Column("/".join(names)))
    table = TextTable(columns)
    for program in result.programs:
        rows = []
        for name in program.shown or program.metric_names():
            metrics = [cell.metric(name) for cell in program.cells]
            unit = next((one.unit for one in metrics if one), None)
            if name in METRICS or unit is None or is_latency(name, unit) != latency:
                continue
            row = [f"  {name}", *map(value, metrics)]
            if subjects:
                row.append(ratio(metrics[subjects[0]], metrics[reference], False))
            rows.append(row)
        if rows:
            table.add_section(program.label)
        for row in rows:
            table.add(*row)
    return table


def means_table(result, beside=()):
    """`beside`: further columns, [(title, text of the cells of one allocator)]."""
    reference = answer.reference_of(result)
    against = result.allocators[reference].name
    table = TextTable(
        [
            Column("", left=True),
            Column(of(against, "wall"), left=True),
            Column("worst", rank=1),
            Column("at", left=True, rank=1),
            Column(METRICS["cpu"], rank=2),
            Column(METRICS["peak_rss"], rank=3),
            Column("programs", rank=4),
            *(Column(title) for title, _ in beside),
        ]
    )
    for at, allocator in enumerate(result.allocators):
        both = [
            (mean.value, one.name)
            for one in result.programs
            if (mine := one.cells[at].metric("wall"))
            and (other := one.cells[reference].metric("wall"))
            and (mean := ratio_of(mine, other))
        ]
        if not both:
            continue
        more = [text([one.cells[at] for one in result.programs]) for _, text in beside]
        if at == reference:
            table.add(allocator.title, "1", "", "", "1", "1", str(len(both)), *more)
            continue
        worst, where = max(both)
        means = [
            answer.mean_ratio(result, metric, at, reference)
            for metric in ("wall", "cpu", "peak_rss")
        ]
        table.add(
            allocator.title, ratio_text(means[0]), f"{worst:.2f}", where,
            ratio_text(means[1], False), ratio_text(means[2], False), str(len(both)), *more,
        )  # fmt: skip
    return table
