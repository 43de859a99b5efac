"""A result of `mmt bench` on the terminal: whole runs, what programs report, means, the answer last."""

import os
import textwrap

from ..bench import answer
from ..text.text_table import terminal_width
from ..text.visible import visible
from .bench_figures import means_table, metrics_table, runs_table

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
