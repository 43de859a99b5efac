#!/usr/bin/env python3
"""Makes docs/figures/README.md, a table, from what `mmt bench --csv` wrote beside it.

    tools/figures_table.py            prints it
    tools/figures_table.py --check    exit status 1 when the file says something else
    tools/figures_table.py --write    writes it

A row's ratio is the median of the rounds' ratios to the peer that is fastest by its median, with the
lowest and highest; goals are those that the project set itself.
"""

import argparse
import csv
import pathlib
import statistics
import sys
from collections import defaultdict, namedtuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "figures"
PAGE = FOLDER / "README.md"
HEAD = """# Figures

Made by `tools/figures_table.py` from the files beside it, each what one command wrote:

{commands}

"Of the best peer" is the median of the rounds' ratios to the peer that is fastest by its median, with the
lowest and highest. CPU time is that of all threads of the whole program.

"""

SECONDS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}

# `best` and `glibc`: goals for the ratios, None where there is none. `kind`: "ratio" for figures
# that are compared with peers, "own" for those that have a bound of their own (`best` is it).
Row = namedtuple("Row", "program metric label best glibc kind", defaults=(None, None, "ratio"))

ROWS = [
    Row("growth/all", "total", "`growth`: tree, maps, vectors", 0.85, 0.60),
    Row("growth/tree", "build_tree", "- tree of 16M nodes"),
    Row("growth/maps", "fill_maps", "- maps"),
    Row("growth/vectors", "append_vectors", "- vectors"),
]
for _shape in ("tree", "mixed", "lists", "scattered"):
    ROWS += [
        Row(f"rebuild/{_shape}", "rebuild", f"`rebuild` {_shape}: built again", 1.00),
        Row(f"rebuild/{_shape}", "retraverse", "- walked then", 1.05),
        Row(f"rebuild/{_shape}", "retraverse_ratio", "- the same, of a fresh one", 1.05, None, "own"),
        Row(f"rebuild/{_shape}", "teardown", "- torn down", 1.05, 0.60),
        Row(f"rebuild/{_shape}", "reteardown", "- torn down again", 1.05, 0.60),
    ]
ROWS += [
    Row("churn/small_1", "op", "`churn` small, one thread", 1.02),
    Row("churn/small_2", "op", "- two threads", 1.02),
    Row("churn/larson_small", "op", "- two threads, larson", 1.02),
    Row("churn/mixed_1", "op", "`churn` mixed, one thread", 1.02),
    Row("churn/mixed_2", "op", "- two threads", 1.02),
    Row("churn/larson_mixed", "op", "- two threads, larson", 1.02),
    Row("large/blocks", "blocks", "`large`: 64 KiB to 64 MiB", 0.70),
    Row("large/calloc", "blocks", "- zeroed, then touched", 0.70),
    Row("large/realloc", "grow_factor", "- growing by half", 0.70),
    Row("large/realloc", "grow_step", "- growing by 64 KiB", 0.70),
]
ROWS += [
    Row(f"programs/{_name}", "wall", f"`programs`: {_name}", 1.02)
    for _name in ("gawk", "perl", "python3", "sqlite3", "lua", "cc1plus")
]
ROWS += [
    Row("latency/grow_free_grow", f"{_call}_{_metric}", f"`latency` {_call}: {_label}", _goal)
    for _call, _metric, _label, _goal in (
        ("malloc", "total", "total", 0.60),
        ("malloc", "p99", "p99", 0.50),
        ("malloc", "p9999", "p99.99", 1.00),
        ("malloc", "over10us", "in calls over 10 us", 1.00),
        ("free", "total", "total", 0.60),
        ("free", "p99", "p99", None),
        ("free", "p9999", "p99.99", 1.00),
        ("free", "over10us", "in calls over 10 us", 1.00),
    )
]
ROWS += [
    Row(f"onecpu/{_name}", "wall", f"one CPU: {_name}", None, 1.05)
    for _name in ("growth", "rebuild", "churn_small", "churn_mixed_2", "larson_small_2", "large",
                  "latency", "gawk", "perl", "python3", "sqlite3", "lua", "cc1plus")
]  # fmt: skip


class Figures:
    """Samples by program, metric and allocator: {round: value}."""

    def __init__(self, paths):
        self.samples = defaultdict(lambda: defaultdict(dict))
        self.units = {}
        for path in paths:
            with open(path, encoding="utf-8", newline="") as file:
                for line in csv.DictReader(file):
                    key = (f"{line['suite']}/{line['program']}", line["metric"])
                    self.units[key] = line["unit"]
                    value = float(line["value"])
                    self.samples[key][line["allocator"]][int(line["round"])] = value

    def median(self, key, allocator):
        return statistics.median(self.samples[key][allocator].values())

    def ratios(self, key, other):
        ours, theirs = self.samples[key]["mmt"], self.samples[key][other]
        return [ours[i] / theirs[i] for i in sorted(ours) if i in theirs]

    def best_peer(self, key):
        return min((name for name in self.samples[key] if name != "mmt"),
                   key=lambda name: self.median(key, name))  # fmt: skip


def quantity(value, unit):
    if unit not in SECONDS:
        return f"{value:.3g}"
    seconds = value * SECONDS[unit]
    name = next((name for name, factor in SECONDS.items() if seconds >= factor), "ns")
    return f"{seconds / SECONDS[name]:.3g} {name}"


def verdict(ratio, goal):
    return f"{goal:.2f}, " + ("met" if round(ratio, 2) <= goal else "**missed**")


def cells(figures, row):
    key = (row.program, row.metric)
    unit = figures.units[key]
    peer = figures.best_peer(key)
    ours = figures.median(key, "mmt")
    if row.kind == "own":
        of_best = of_glibc = ""
        goal = verdict(ours, row.best)
    else:
        ratios = figures.ratios(key, peer)
        of_glibc = statistics.median(figures.ratios(key, "glibc"))
        ratio = statistics.median(ratios)
        of_best = f"{ratio:.2f} ({min(ratios):.2f}-{max(ratios):.2f})"
        goals = [verdict(ratio, row.best)] if row.best else []
        goals += [verdict(of_glibc, row.glibc) + " (glibc)"] if row.glibc else []
        goal = "; ".join(goals)
        of_glibc = f"{of_glibc:.2f}"
    cpu = figures.median((row.program, "cpu"), "mmt"), figures.median((row.program, "cpu"), peer)
    return [
        row.label,
        quantity(ours, unit),
        f"{quantity(figures.median(key, peer), unit)} {peer.removesuffix('-minimal')}",
        quantity(figures.median(key, "glibc"), unit),
        of_best,
        of_glibc,
        goal,
        " / ".join(quantity(value, "s") for value in cpu),
    ]


def geometric_mean(figures, other):
    total = []
    for row in ROWS:
        if row.program.startswith("programs/"):
            key = (row.program, row.metric)
            total.append(statistics.median(figures.ratios(key, other(key))))
    return statistics.geometric_mean(total)


def means(figures):
    best = geometric_mean(figures, figures.best_peer)
    glibc = geometric_mean(figures, lambda key: "glibc")
    goal = f"{verdict(best, 0.95)}; {verdict(glibc, 0.85)} (glibc)"
    return ["- geometric mean", "", "", "", f"{best:.2f}", f"{glibc:.2f}", goal, ""]


def table(figures):
    head = ["figure", "MMT", "best peer", "glibc", "of the best peer", "of glibc", "goal",
            "CPU, MMT / that peer"]  # fmt: skip
    lines = [head, ["---"] * len(head)]
    for row in ROWS:
        lines.append(cells(figures, row))
        if row.program == "programs/cc1plus":
            lines.append(means(figures))
    return rendered(lines)


def peaks(figures):
    """Peak resident memory, whose goal is 1.10 of the best peer's plus 8 MiB."""
    lines = [["program", "MMT", "best peer", "at most", ""], ["---"] * 5]
    for program in sorted(program for program, metric in figures.samples if metric == "peak_rss"):
        key = (program, "peak_rss")
        peer = figures.best_peer(key)
        ours, theirs = (figures.median(key, name) / 2**20 for name in ("mmt", peer))
        most = 1.10 * theirs + 8
        lines.append([f"`{program}`", f"{ours:.1f} MiB", f"{theirs:.1f} MiB {peer}", f"{most:.1f} MiB",
                      "met" if ours <= most else "**missed**"])  # fmt: skip
    return rendered(lines)


def rendered(lines):
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def page():
    """Each CSV file has its command in a file of the same name that ends in .txt."""
    files = sorted(FOLDER.glob("*.csv"))
    commands = [path.with_suffix(".txt").read_text(encoding="utf-8").strip() for path in files]
    lines = [f"- `{path.name}`: `{command}`" for path, command in zip(files, commands)]
    figures = Figures(files)
    head = HEAD.format(commands="\n".join(lines))
    return f"{head}{table(figures)}\nPeak resident memory:\n\n{peaks(figures)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true")
    how.add_argument("--write", action="store_true")
    options = parser.parse_args()
    made = page()
    if options.check:
        return 0 if PAGE.read_text(encoding="utf-8") == made else 1
    if options.write:
        PAGE.write_text(made, encoding="utf-8")
    else:
        sys.stdout.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
