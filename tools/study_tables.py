#!/usr/bin/env python3
"""The tables of a study as Markdown, from the results.csv that `mmt study` wrote (docs/studies/*.csv).

    tools/study_tables.py docs/studies/mmt.csv                     all of them
    tools/study_tables.py docs/studies/mmt.csv --only figure-8     those of one figure

A cell is our median, its 95% interval where it has one, and the paper's number.
"""

import argparse
import csv
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lab"))
from mmt_lab.text.units import in_figures  # noqa: E402


def cell(line):
    """One number of the file, as people read it."""
    unit = line["unit"]
    if not line["median"]:
        return "missing"
    value, low, high = (in_figures(float(line[name] or line["median"]), unit) for name in ("median", "low", "high"))
    text = value if low == high else f"{value} [{low}, {high}]"
    return f"{text} (paper {in_figures(float(line['paper']), unit)})" if line["paper"] else text


def heading(column, units):
    """The column's name, with its unit where all its numbers have one that is not plain."""
    (unit, *others) = units
    return f"{column} ({unit})" if not others and unit in ("s", "ns", "bytes") else column


def row_of(cells):
    return "| " + " | ".join(text.replace("|", "\\|") for text in cells) + " |\n"


def table(lines):
    """Rows and columns in the order in which the file first names them."""
    rows = list(dict.fromkeys(line["row"] for line in lines))
    columns = list(dict.fromkeys(line["column"] for line in lines))
    cells = {(line["row"], line["column"]): cell(line) for line in lines}
    heads = [heading(one, sorted({line["unit"] for line in lines if line["column"] == one})) for one in columns]
    yield row_of(["", *heads])
    yield row_of(["---"] * (1 + len(columns)))
    for row in rows:
        yield row_of([row, *(cells.get((row, column), "") for column in columns)])


def render(lines):
    by_table = {}
    for line in lines:
        by_table.setdefault((line["experiment"], line["table"]), []).append(line)
    shown = None
    for (experiment, title), part in by_table.items():
        if experiment != shown:
            yield f"### {experiment}\n\n"
            shown = experiment
        yield f"**{title}**\n\n"
        yield from table(part)
        yield "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--only", help="the experiment whose tables are shown")
    parser.add_argument("--table", help="the title of the one that is shown, without headings")
    options = parser.parse_args()
    with open(options.file, encoding="utf-8", newline="") as file:
        lines = [line for line in csv.DictReader(file) if options.only in (None, line["experiment"])]
    lines = [line for line in lines if not line.get("verdict")]  # those are tools/study_verdicts.py's
    if not lines:
        sys.exit(f"study_tables: {options.file} has no table of '{options.only}'")
    if options.table:
        sys.stdout.write("".join(table([line for line in lines if line["table"] == options.table])))
        return 0
    sys.stdout.write("".join(render(lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
