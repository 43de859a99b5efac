"""The files of `mmt bench`: JSON (schema 1) and CSV of the raw samples, specified in
docs/bench.md, and a page of Markdown."""

import dataclasses
import shlex

from ..bench import answer
from ..text.plain_data import csv_of, json_of
from . import bench_console, bench_figures, markdown
from .words import METRICS, of


def _plain(value):
    """Dicts, lists and numbers; ratios that there are none of are left out."""
    if dataclasses.is_dataclass(value):
        return {
            field.name: _plain(one)
            for field in dataclasses.fields(value)
            if (one := getattr(value, field.name)) is not None or field.name == "problem"
        }
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value


def render_json(result):
    return json_of(_plain(result), indent=2)


def render_csv(result):
    header = ("suite", "program", "allocator", "metric", "unit", "round", "value")
    return csv_of(header, _samples(result), line_end="\n")


def _samples(result):
    for program in result.programs:
        for cell in program.cells:
            for name, metric in ({} if cell.problem else cell.metrics).items():
                place = (program.suite, program.name, cell.allocator, name, metric.unit)
                yield from ((*place, one.round, one.value) for one in metric.samples)


def render_markdown(result):
    said = markdown.text(" ".join(answer.sentences(result)))
    lines = [said, ""] if said else []
    against = result.allocators[answer.reference_of(result)].name
    measured = (METRICS["wall"], of(against), METRICS["cpu"], METRICS["peak_rss"])
    lines.append(markdown.row(("program", "allocator", *measured)))
    lines.append(markdown.rule(6))
    table = bench_figures.runs_table(result, False)
    for section, cells in table.by_section():
        lines.append(markdown.row((section, *(one.strip() for one in cells))))
    lines.append("")
    listed = [text for _, text in bench_console.losses(result)] + list(answer.warnings(result))
    if listed:
        lines += [*(f"- {markdown.text(one)}" for one in listed), ""]
    lines.append(markdown.code(shlex.join(result.command)))
    return "\n".join(lines) + "\n"
