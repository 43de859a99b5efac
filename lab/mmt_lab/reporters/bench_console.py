"""A result of `mmt bench` on the terminal: whole runs, what programs report, means, the answer last."""

import os
import textwrap

from ..text import bench_units
from ..bench import answer
from ..bench.tell import ratio_of
from ..results.statistics import ENOUGH
from ..text.text_table import Column, TextTable, terminal_width
from ..text.visible import visible

BUILT_IN = ("wall", "cpu", "peak_rss", "minor_faults", "major_faults")
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


class Paint:
    """Texts as they may be shown; with colours only on a terminal, and not where NO_COLOR is set."""

    def __init__(self, stream):
        self._on = stream.isatty() and not os.environ.get("NO_COLOR") and _is_capable()

    def __call__(self, style, text):
        shown = visible(text)
        return f"\033[{_STYLES[style]}m{shown}\033[0m" if self._on and shown else shown


def _is_capable():
    return os.environ.get("TERM", "") not in ("", "dumb")


def show(result, stream, wide=False):
    width = terminal_width(stream)
    paint = Paint(stream)
    for line in _lines(result, None if wide else width, width, paint):
        stream.write(line + "\n")
    stream.flush()


def _lines(result, table_width, width, paint):
    table_width = table_width or 10_000
    runs = runs_table(result, table_width > width)
    yield from _table(runs, table_width, paint)
    if left_out := runs.left_out(table_width):
        text = f"No room for {' and '.join(left_out)}: --wide shows all columns."
        yield from (paint("dim", one) for one in _wrapped(text, table_width))
    for latency, title in ((False, "Reported by the programs"), (True, "Latency of calls")):
        table = metrics_table(result, latency)
        for number, part in enumerate(table.chunks(table_width) if table else ()):
            yield ""
            if not number:
                yield paint("bold", f"{title} (medians)")
            yield from _table(part, table_width, paint)
    if len(result.programs) > 1:
        yield ""
        yield paint("bold", "Geometric means over programs")
        yield from _table(means_table(result), table_width, paint)
    for style, text in losses(result):
        yield ""
        yield paint(style, text)
    for style, text in _notes(result):
        yield ""
        yield from (paint(style, one) for one in _wrapped(text, width))


def _table(table, width, paint):
    head, *rows = table.lines(width)
    yield paint("dim", head)
    yield from rows


def losses(result):
    """In one line each, however long: they name files and commands."""
    for program in result.programs:
        for cell in program.cells:
            if cell.problem:
                yield "red", f"FAILED: {program.label} with {cell.allocator}: {cell.problem}"
    for what in ("allocator", "program"):
        for one in getattr(result, f"missing_{what}s"):
            yield "yellow", f"{what} left out: {one.name} ({one.remedy})"


def _notes(result):
    for text in answer.warnings(result):
        yield "yellow", f"Warning: {text}."
    for text in answer.sentences(result):
        yield "bold", text


def _wrapped(text, width):
    return textwrap.wrap(visible(text), max(width, 20), break_on_hyphens=False, break_long_words=False) or [""]


def value(metric):
    return bench_units.in_words(metric.median, metric.unit) if metric else ""


def interval(metric):
    if metric is None or len(metric.samples) < ENOUGH:
        return ""
    low, high = (bench_units.in_words(one, metric.unit) for one in (metric.low, metric.high))
    return f"{low} to {high}"


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
    return f"{text} ({estimate.low:.2f} to {estimate.high:.2f})"


def runs_table(result, wide):
    reference = answer.reference_of(result)
    against = result.allocators[reference].name
    columns = [
        Column("", left=True),
        Column("time"),
        Column(f"of {against}'s (95% interval)", left=True, rank=1),
        Column("CPU", rank=2),
        Column("memory", rank=3),
    ]
    if wide:
        columns += [
            Column(title, left=title.startswith("interval"))
            for title in (
                f"CPU of {against}'s", f"memory of {against}'s", "minor faults", "major", "runs",
                "interval of the time",
            )
        ]  # fmt: skip
    table = TextTable(columns)
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
            table.add(*cells)
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
            if name in BUILT_IN or unit is None or is_latency(name, unit) != latency:
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


def means_table(result):
    reference = answer.reference_of(result)
    against = result.allocators[reference].name
    table = TextTable(
        [
            Column("", left=True),
            Column(f"time of {against}'s", left=True),
            Column("worst", rank=1),
            Column("at", left=True, rank=1),
            Column("CPU", rank=2),
            Column("memory", rank=3),
            Column("programs", rank=4),
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
        if at == reference:
            table.add(allocator.title, "1", "", "", "1", "1", str(len(both)))
            continue
        worst, where = max(both)
        means = [
            answer.mean_ratio(result, metric, at, reference)
            for metric in ("wall", "cpu", "peak_rss")
        ]
        table.add(
            allocator.title, ratio_text(means[0]), f"{worst:.2f}", where,
            ratio_text(means[1], False), ratio_text(means[2], False), str(len(both)),
        )  # fmt: skip
    return table
