"""A result of `mmt bench` as HTML: what study_section.py is for a study. Part of a page."""

import shlex

from ..bench import answer
from . import bench_latency, bench_samples, bench_tables, page, words

# What the contents name: anchor, heading.
_RUNS = ("runs", "Whole runs")
_SAMPLES = ("samples", "Every run")
_MEANS = ("means", "Geometric means over programs")
_REPORTED = ("reported", "Reported by the programs")
_LATENCY = ("latency", "Latency of calls")
_CURVES = ("curves", "How long calls take")
_MEASURED = ("measured", "How it was measured")


def title(result):
    """The suites, or the programs that came without one."""
    names = dict.fromkeys(one.suite or one.name for one in result.programs)
    return f"mmt bench: {', '.join(names) or 'nothing'}"


def answers(result):
    """Sentences: who won."""
    return answer.sentences(result)


def summary(result):
    for one in answer.warnings(result):
        yield f'<p class="missing">Warning: {page.text(one)}.</p>'
    rounds = f"{result.rounds} round{'' if result.rounds == 1 else 's'}"
    told = f"{rounds}, seed {result.seed}; medians, intervals are {words.INTERVAL}."
    ratios = "Ratios are those of the medians: below 1 is better, for rates too."
    yield f"<p>{page.text(told)} {page.text(ratios)}</p>"
    for program in result.programs:
        for cell in program.cells:
            if cell.problem:
                words_of_it = f"failed: {program.label} with {cell.allocator}: {cell.problem}"
                yield f'<p class="missing">{page.text(words_of_it)}</p>'
    for what in ("allocator", "program"):
        for one in getattr(result, f"missing_{what}s"):
            told = f"{what} left out: {one.name} ({one.remedy})"
            yield f'<p class="missing">{page.text(told)}</p>'


def _measured(result):
    yield f"<p>{page.code(shlex.join(result.command))}</p>"
    yield from page.details("The machine", result.machine.items())
    allocators = (
        page.row(
            (
                page.text(one.name),
                page.text(one.version),
                *map(page.code, (one.malloc_from, one.path or "the C library", one.options)),
            )
        )
        for one in result.allocators
    )
    yield from page.table(("allocator", "version", "malloc from", "library", "options"), allocators, "text")
    commands = (
        (one.label + (f" (CPUs {one.pin})" if one.pin else ""), shlex.join(one.command))
        for one in result.programs
    )
    yield from page.details("Commands", commands)


def _parts(result):
    """[((anchor, heading), what makes its lines of its anchor)]"""
    yield _RUNS, lambda anchor: bench_tables.runs(result, anchor)
    if bench_samples.has_any(result):
        yield _SAMPLES, lambda anchor: bench_samples.charts_of(result, anchor)
    if len(result.programs) > 1:
        yield _MEANS, lambda anchor: bench_tables.means(result)
    for part, latency in ((_REPORTED, False), (_LATENCY, True)):
        if rows := bench_tables.reported(result, latency):
            yield part, lambda anchor, rows=rows: bench_tables.metrics(result, rows, anchor)
        if latency and bench_latency.has_any(result):
            yield _CURVES, lambda anchor: bench_latency.curves(result, anchor)
    yield _MEASURED, lambda anchor: _measured(result)


def contents(result, prefix=""):
    yield "<ul>"
    for (anchor, words_of_it), _ in _parts(result):
        yield f"<li>{page.link(prefix + anchor, words_of_it)}</li>"
    yield "</ul>"


def body(result, prefix="", level=2):
    """`prefix`: of anchors, unique on the page; `level`: of the headings."""
    for (anchor, words_of_it), lines in _parts(result):
        yield page.heading(level, prefix + anchor, page.text(words_of_it))
        yield from lines(prefix + anchor)
