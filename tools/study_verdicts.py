#!/usr/bin/env python3
"""The verdicts of a study as a table of Markdown, from the results.csv that `mmt study` wrote.

    tools/study_verdicts.py docs/studies/mmt.csv     prints them
    tools/study_verdicts.py                          writes them anew into the pages of docs/studies

A page keeps them between `<!-- verdicts: tools/study_verdicts.py FILE -->` and `<!-- end of verdicts -->`.
"""

import argparse
import csv
import pathlib
import re
import sys
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "lab"))
from mmt_lab.text.units import in_figures, in_words  # noqa: E402

PAGES = ROOT / "docs/studies"
KEPT = re.compile(r"(<!-- verdicts: tools/study_verdicts.py (\S+) -->\n)(.*?)(<!-- end of verdicts -->\n)", re.DOTALL)
HEADINGS = ("where", "relation", "verdict", "here", "asked for", "the paper")
PREMISE = "premise: "
FEW = 3  # numbers that are told one by one


def relations(lines):
    """[(the relation's line, lines of its numbers)] in the file's order."""
    found = []
    for line in lines:
        if not line.get("verdict"):
            continue
        if line["column"]:
            found[-1][1].append(line)
        else:
            found.append((line, []))
    return found


def number(line):
    """Ours, with its interval where that is known."""
    if not line["median"]:
        return line["verdict"]
    text = in_words(float(line["median"]), line["unit"])
    if not line["low"] or line["low"] == line["high"]:
        return text
    low, high = (in_figures(float(line[name]), line["unit"]) for name in ("low", "high"))
    return f"{text} [{low}, {high}]"


def counted(parts):
    """Many numbers, as how many of them are as asked, and from where to where they go."""
    verdicts = Counter(line["verdict"] for line in parts)
    told = [f"{verdicts.pop('as asked', 0)} of {len(parts)} as asked"]
    verdicts.pop("not as asked", None)
    told += [f"{count} {verdict}" for verdict, count in verdicts.items()]
    return f"{', '.join(told)}{span(parts, 'median')}"


def span(parts, column):
    """From the least to the most of numbers of one unit."""
    values = [float(line[column]) for line in parts if line[column]]
    if not values or len({line["unit"] for line in parts}) > 1:
        return ""
    unit = parts[0]["unit"]
    low, high = in_words(min(values), unit), in_words(max(values), unit)
    return f": {low}" if low == high else f": {low} to {high}"


def here(line, numbers):
    parts = [one for one in numbers if not one["column"].startswith(PREMISE)]
    if not parts:
        return line["reason"]
    if len(parts) == 1:
        told = number(parts[0])
    elif len(parts) <= FEW:
        told = "; ".join(f"{one['column']}: {number(one)}" for one in parts)
    else:
        told = counted(parts)
    lacks = any(one["verdict"] != "as asked" for one in numbers if one not in parts)
    return f"{told}; its premise is not found" if lacks else told


def beside(parts, of, many):
    """What is the same for all numbers, else that of each where they are few, else `many`."""
    told = [of(one) for one in parts if not one["column"].startswith(PREMISE)]
    if len(set(told)) <= 1:
        return told[0] if told else ""
    return "; ".join(one or "-" for one in told) if len(told) <= FEW else many


def paper(line):
    return in_words(float(line["paper"]), line["unit"]) if line["paper"] else ""


def row(cells):
    return "| " + " | ".join(text.replace("|", "\\|").replace("<", "&lt;") for text in cells) + " |\n"


def table(lines):
    found = relations(lines)
    counts = Counter(line["verdict"] for line, _ in found)
    yield f"{len(found)} rows: {', '.join(f'{count} {verdict}' for verdict, count in counts.most_common())}.\n\n"
    yield row(HEADINGS)
    yield row(["---"] * len(HEADINGS))
    for line, parts in found:
        asked = beside(parts, lambda one: one["asked"], "each its own")
        papers = beside(parts, paper, span(parts, "paper").removeprefix(": "))
        yield row([line["experiment"], line["row"], line["verdict"], here(line, parts), asked, papers])


def render(file):
    with open(file, encoding="utf-8", newline="") as lines:
        return "".join(table(csv.DictReader(lines)))


def kept(page):
    """The page with its verdicts as they are in the files that it names."""
    return KEPT.sub(lambda found: f"{found[1]}\n{render(ROOT / found[2])}\n{found[4]}", page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path, nargs="?", help="print its verdicts, and write no page")
    file = parser.parse_args().file
    if file:
        sys.stdout.write(render(file))
        return 0
    for page in sorted(PAGES.glob("*.md")):
        page.write_text(kept(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
