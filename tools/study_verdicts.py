#!/usr/bin/env python3
"""The verdicts of a study as a table of Markdown, from the results.csv that `mmt study` wrote.

    tools/study_verdicts.py docs/studies/mmt.csv
    tools/study_verdicts.py docs/studies/stm.csv --settings    those of several settings, side by side

An experiment in another setting has that one's name behind its own: figure-1-tinystm. Pages keep tables:
tools/kept_tables.py.
"""

import argparse
import csv
import pathlib
import sys
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "lab"))
from mmt_lab.text.units import in_figures, in_words  # noqa: E402

HEADINGS = ("where", "relation", "verdict", "here", "asked for", "the paper")
PREMISE = "premise: "
FEW = 3  # numbers that are told one by one
DECIDED = ("reproduced", "not reproduced")
OURS = ""
OWN_QUESTION = "Ours: "
# Settings and their headings. Between ours and the others lies one that lacks safe privatization alone.
SHOWN = {OURS: "ours", "tinystm": "the paper's", "epochs": "epochs"}
BETWEEN = "quiesced"


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


def figures(value, unit):
    """A large ratio has no more digits than a small one; what rounds to none has no sign."""
    if unit == "ratio" and abs(value) >= 10:
        return f"{value:,.1f}" if abs(value) < 100 else f"{value:,.0f}"
    told = in_figures(value, unit)
    return told.removeprefix("-") if not told.strip("-0.%") else told


def words(value, unit):
    return in_words(value, unit) if unit not in ("ratio", "share") else figures(value, unit)


def number(line):
    """Ours, with its interval where that is known."""
    if not line["median"]:
        return line["verdict"]
    text = words(float(line["median"]), line["unit"])
    if not line["low"] or line["low"] == line["high"]:
        return text
    low, high = (figures(float(line[name]), line["unit"]) for name in ("low", "high"))
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
    low, high = words(min(values), unit), words(max(values), unit)
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
    return words(float(line["paper"]), line["unit"]) if line["paper"] else ""


def row(cells):
    return "| " + " | ".join(text.replace("|", "\\|").replace("<", "&lt;") for text in cells) + " |\n"


def base_and_setting(name, names):
    """("figure-1", "tinystm") where the file has the experiment in our setting, too."""
    base, _, setting = name.rpartition("-")
    return (base, setting) if base in names else (name, OURS)


def in_settings(lines):
    """{(experiment, claim): {setting: (the relation's line, lines of its numbers)}}."""
    found = relations(lines)
    names = {line["experiment"] for line, _ in found}
    by_claim = {}
    for line, parts in found:
        base, setting = base_and_setting(line["experiment"], names)
        by_claim.setdefault((base, line["row"]), {})[setting] = line, parts
    return by_claim


def cause(verdicts):
    """What makes verdicts differ: that of two causes without which a verdict is the other one. `verdicts`
    by setting."""
    ours, papers, epochs = (verdicts.get(one) for one in SHOWN)
    told = []
    if papers not in (None, ours):
        told.append(f"paper's: {_between(ours, verdicts.get(BETWEEN), papers)}")
    if epochs is None:
        return "; ".join(told)
    if epochs not in (ours, papers):
        told.append(f"epochs: {_between(ours, verdicts.get(BETWEEN), epochs)}")
    elif epochs != papers:
        told.append("epochs: as ours")
    return "; ".join(told)


def _between(ours, between, other):
    if ours not in DECIDED or other not in DECIDED or between not in DECIDED:
        return "open"
    return "privatization" if between == other else "reclamation"


def settings_table(lines):
    rows = {key: of for key, of in in_settings(lines).items() if len(of) > 1}
    yield row(["where", "relation", *SHOWN.values(), "why they differ"])
    yield row(["---"] * (len(SHOWN) + 3))
    for (where, claim), of in rows.items():
        told = (f"{of[one][0]['verdict']}: {here(*of[one])}" if one in of else "" for one in SHOWN)
        yield row([where, claim, *told, cause({one: line["verdict"] for one, (line, _) in of.items()})])


def in_counts(lines):
    """How many rows have which verdict. Our own questions are counted apart."""

    def counts(of):
        by_verdict = Counter(line["verdict"] for line in of).most_common()
        return f"{len(of)} rows: {', '.join(f'{count} {verdict}' for verdict, count in by_verdict)}."

    own = [line for line in lines if line["row"].startswith(OWN_QUESTION)]
    papers = [line for line in lines if line not in own]
    told = [counts(papers)] if papers or not own else []
    told += [f"Questions of our own, {counts(own)}"] if own else []
    return f"{' '.join(told)}\n\n"


def table(lines):
    of_settings = in_settings(lines)
    found = [of[OURS] for of in of_settings.values() if OURS in of]
    yield in_counts([line for line, _ in found])
    yield row(HEADINGS)
    yield row(["---"] * len(HEADINGS))
    for line, parts in found:
        asked = beside(parts, lambda one: one["asked"], "each its own")
        papers = beside(parts, paper, span(parts, "paper").removeprefix(": "))
        yield row([line["experiment"], line["row"], line["verdict"], here(line, parts), asked, papers])


def render(file, settings=False):
    with open(file, encoding="utf-8", newline="") as lines:
        return "".join((settings_table if settings else table)(csv.DictReader(lines)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--settings", action="store_true", help="those that were asked in several settings")
    options = parser.parse_args()
    sys.stdout.write(render(options.file, options.settings))
    return 0


if __name__ == "__main__":
    sys.exit(main())
