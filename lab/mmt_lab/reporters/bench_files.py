"""The files of `mmt bench`: JSON (schema 1) and CSV of the raw samples, specified in
docs/bench.md, and a page of Markdown."""

import csv
import dataclasses
import io
import json
import shlex

from ..bench import answer
from . import bench_console


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
    # A program may report bytes that are no UTF-8; a report must not fail for that.
    return value.encode(errors="replace").decode() if isinstance(value, str) else value


def render_json(result):
    return json.dumps(_plain(result), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def render_csv(result):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("suite", "program", "allocator", "metric", "unit", "round", "value"))
    for program in result.programs:
        for cell in program.cells:
            for name, metric in ({} if cell.problem else cell.metrics).items():
                place = (program.suite, program.name, cell.allocator, name, metric.unit)
                writer.writerows((*place, one.round, one.value) for one in metric.samples)
    return text.getvalue()


def _row(cells):
    return "| " + " | ".join(one.replace("|", "\\|").replace("\n", " ") for one in cells) + " |"


def render_markdown(result):
    said = " ".join(answer.sentences(result))
    lines = [said, ""] if said else []
    against = result.allocators[answer.reference_of(result)].name
    lines.append(_row(("program", "allocator", "time", f"of {against}'s", "CPU", "memory")))
    lines.append(_row(["---"] * 6))
    table = bench_console.runs_table(result, False)
    for section, cells in table.by_section():
        lines.append(_row((section, *(one.strip() for one in cells))))
    lines.append("")
    listed = [text for _, text in bench_console.losses(result)] + list(answer.warnings(result))
    if listed:
        lines += [*(f"- {one}" for one in listed), ""]
    lines.append(f"`{shlex.join(result.command)}`")
    return "\n".join(lines) + "\n"
