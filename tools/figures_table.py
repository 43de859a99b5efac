#!/usr/bin/env python3
"""Tables of figures from what `mmt bench --csv` wrote into docs/figures/seed*, as Markdown.

    tools/figures_table.py runs       the runs: machine and commands
    tools/figures_table.py table      every figure
    tools/figures_table.py peaks      peak memory
    tools/figures_table.py missed     each goal that is missed in a run
    tools/figures_table.py readme     README.md's few lines
    tools/figures_table.py costs      CPU time and memory, the worst of all programs

Each folder is one run; its file `machine` says where, its file `peers` beside which versions. Runs
beside the same peers make one table: the last that has most rows is shown, the others in one column
each. A row's ratio to the peer that is fastest by its median is the greater of two estimates. These
are the median of the rounds' ratios (whose lowest and highest stand beside it), and the quotient of
the medians. Goals are those that the project set itself, and count as met when they are met in
every run.
"""

import argparse
import csv
import math
import pathlib
import re
import statistics
import sys
from collections import defaultdict, namedtuple

import figures_readme
from figures_goals import MEANS, ROWS, Goal

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "figures"

SECONDS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


class Figures:
    """Samples of a run by program, metric and allocator: {round: value}."""

    def __init__(self, folder):
        self.name = folder.name
        self.machine = (folder / "machine").read_text(encoding="utf-8").strip()
        self.peers = (folder / "peers").read_text(encoding="utf-8").strip()
        self.files = sorted(folder.glob("*.csv"))
        self.samples = defaultdict(lambda: defaultdict(dict))
        self.units = {}
        for path in self.files:
            with open(path, encoding="utf-8", newline="") as file:
                for line in csv.DictReader(file):
                    key = (f"{line['suite']}/{line['program']}", line["metric"])
                    self.units[key] = line["unit"]
                    value = float(line["value"])
                    self.samples[key][line["allocator"]][int(line["round"])] = value

    def has(self, row):
        if row is MEANS:
            return all(self.has(one) for one in ROWS if one.program.startswith("programs/"))
        return (row.program, row.metric) in self.units

    def median(self, key, allocator):
        return statistics.median(self.samples[key][allocator].values())

    def ratios(self, key, other):
        ours, theirs = self.samples[key]["mmt"], self.samples[key][other]
        return [ours[i] / theirs[i] for i in sorted(ours) if i in theirs]

    def ratio(self, key, other):
        """The less favourable of two estimates, which agree where rounds are alike."""
        quotient = self.median(key, "mmt") / self.median(key, other)
        return max(statistics.median(self.ratios(key, other)), quotient)

    def best_peer(self, key):
        return min((name for name in self.samples[key] if name != "mmt"),
                   key=lambda name: self.median(key, name))  # fmt: skip


def quantity(value, unit):
    if unit == "percent":
        return f"{value:.3g}%"
    if unit not in SECONDS:
        return f"{value:.3g}"
    seconds = value * SECONDS[unit]
    name = next((name for name, factor in SECONDS.items() if seconds >= factor), "ns")
    return f"{seconds / SECONDS[name]:.3g} {name}"


def is_met(goal):
    return goal.ratio <= goal.most


def ratio_text(goal):
    """Two digits, or as many as it takes where two would hide that the goal is missed."""
    texts = (f"{goal.ratio:.{digits}f}" for digits in range(2, 16))
    return next(text for text in texts if is_met(goal) or float(text) > goal.most)


def verdicts(goals_of_runs):
    """Whether the goals of a row are met, in each run that has it."""
    texts = []
    for goals in zip(*goals_of_runs):
        met = sum(map(is_met, goals))
        text = "met" if met == len(goals) else f"met in {met} of {len(goals)}" if met else "**missed**"
        suffix = " (glibc)" if goals[0].whose == "glibc's" else ""
        texts.append(f"{goals[0].most:.2f}, {text}{suffix}")
    return "; ".join(texts)


def ratio_to_best(figures, row):
    key = (row.program, row.metric)
    return figures.ratio(key, figures.best_peer(key))


def ratio_to_glibc(figures, row):
    return figures.ratio((row.program, row.metric), "glibc")


def goals_of(figures, row):
    if row is MEANS:
        return mean_goals(figures)
    if row.kind == "own":
        return [Goal(figures.median((row.program, row.metric), "mmt"), row.best, "a fresh one's")]
    goals = []
    if row.best:
        goals.append(Goal(ratio_to_best(figures, row), row.best, "the best peer's"))
    if row.glibc:
        goals.append(Goal(ratio_to_glibc(figures, row), row.glibc, "glibc's"))
    return goals


def of_best_in(figures, row):
    if not figures.has(row):
        return ""
    own = row.kind == "own"
    ratio = figures.median((row.program, row.metric), "mmt") if own else ratio_to_best(figures, row)
    return ratio_text(Goal(ratio, row.best or math.inf, ""))


def cells(runs, row):
    """The first run's figures; of the others the ratio to the best peer."""
    figures = runs[0]
    key = (row.program, row.metric)
    unit = figures.units[key]
    peer = figures.best_peer(key)
    of_best, of_glibc = of_best_in(figures, row), ""
    if row.kind == "ratio":
        ratios = figures.ratios(key, peer)
        of_best += f" ({min(ratios):.2f}-{max(ratios):.2f})"
        of_glibc = f"{ratio_to_glibc(figures, row):.2f}"
    cpu = [figures.median((row.program, "cpu"), name) for name in ("mmt", peer, "glibc")]
    return [
        row.label,
        quantity(figures.median(key, "mmt"), unit),
        f"{quantity(figures.median(key, peer), unit)} {peer.removesuffix('-minimal')}",
        quantity(figures.median(key, "glibc"), unit),
        of_best,
        *(of_best_in(other, row) for other in runs[1:]),
        of_glibc,
        verdicts([goals_of(one, row) for one in runs if one.has(row)]),
        " / ".join(quantity(value, "s") for value in cpu),
    ]


def geometric_mean(figures, ratio):
    rows = (row for row in ROWS if row.program.startswith("programs/"))
    return statistics.geometric_mean(ratio(figures, row) for row in rows)


def mean_goals(figures):
    return [
        Goal(geometric_mean(figures, ratio_to_best), 0.95, "the best peer's"),
        Goal(geometric_mean(figures, ratio_to_glibc), 0.85, "glibc's"),
    ]


def means(runs):
    goals = [mean_goals(one) for one in runs if one.has(MEANS)]
    best = [f"{mean_goals(one)[0].ratio:.2f}" if one.has(MEANS) else "" for one in runs]
    return ["- geometric mean", "", "", "", *best, f"{goals[0][1].ratio:.2f}", verdicts(goals), ""]


def all_rows(runs):
    for row in ROWS:
        if not runs[0].has(row):
            continue
        yield row, cells(runs, row)
        if row.program == "programs/cc1plus":
            yield MEANS, means(runs)


def table(runs):
    others = [one.name for one in runs[1:]]
    head = ["figure", "MMT", "best peer", "glibc", "of the best peer (greater of two)", *others, "of glibc", "goal",
            "CPU, MMT / that peer / glibc"]  # fmt: skip
    return rendered([head, ["---"] * len(head), *(line for _, line in all_rows(runs))])


def full_label(row):
    """The label with what the rows below the first of a group leave out."""
    if not row.label.startswith("- "):
        return row.label
    group = next(one for one in reversed(ROWS[: ROWS.index(row)]) if not one.label.startswith("- "))
    return f"{group.label.split(':')[0].split(',')[0]}, {row.label[2:]}"


def in_words(label, goals):
    ratios = ", ".join(map(ratio_text, goals))
    return f"- {label}: {ratios} of {goals[0].whose} (goal {goals[0].most:.2f})\n"


def missed(runs):
    """One line for each goal that is missed in any run, with its ratio in each run that has it. How
    many goals there are comes last."""
    lines, total = [], 0
    for row in [*ROWS, MEANS]:
        goals_of_runs = [goals_of(one, row) for one in runs if one.has(row)]
        for goals in zip(*goals_of_runs):
            total += 1
            if not all(map(is_met, goals)):
                lines.append(in_words(full_label(row), goals))
    by_program = defaultdict(list)
    for one in runs:
        for peak in peaks(one):
            by_program[peak.program].append(peak)
    for program, found in sorted(by_program.items()):
        if not all(peak.met for peak in found):
            sizes = ", ".join(f"{peak.ours:.1f} (at most {peak.most:.1f})" for peak in found)
            lines.append(f"- peak memory of `{program}`: {sizes} MiB\n")
    return lines, total + len(by_program)


Peak = namedtuple("Peak", "program ours theirs peer most met")


def peaks(figures):
    """Peak resident memory in MiB, whose goal is 1.10 of the best peer's plus 8 MiB."""
    for program in sorted(program for program, metric in figures.samples if metric == "peak_rss"):
        key = (program, "peak_rss")
        peer = figures.best_peer(key)
        ours, theirs = (figures.median(key, name) / 2**20 for name in ("mmt", peer))
        most = 1.10 * theirs + 8
        yield Peak(program, ours, theirs, peer, most, ours <= most)


def peak_table(figures):
    lines = [["program", "MMT", "best peer", "at most", ""], ["---"] * 5]
    for peak in peaks(figures):
        lines.append([f"`{peak.program}`", f"{peak.ours:.1f} MiB", f"{peak.theirs:.1f} MiB {peak.peer}",
                      f"{peak.most:.1f} MiB", "met" if peak.met else "**missed**"])  # fmt: skip
    return rendered(lines)


def rendered(lines):
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def sets_of_runs():
    """The runs of each set of peers, the latest set first. The last run of a set that has most rows
    comes first, then the others, the last first."""
    folders = sorted(FOLDER.glob("seed*"), key=lambda path: -int(path.name.removeprefix("seed")))
    sets = defaultdict(list)
    for one in map(Figures, folders):
        sets[one.peers].append(one)
    return [shown_first(runs) for runs in sets.values()]


def shown_first(runs):
    shown = max(runs, key=lambda one: sum(map(one.has, ROWS)))
    return [shown, *(one for one in runs if one is not shown)]


def described(run):
    """Each CSV file has its command in a file of the same name that ends in .txt."""
    commands = [path.with_suffix(".txt").read_text(encoding="utf-8").strip() for path in run.files]
    for command in commands:
        if not re.fullmatch(r"mmt bench .*", command):
            sys.exit(f"figures_table: in {run.name} this is no command: {command[:60]}")
    lines = [f"- `{run.name}`: {run.machine}", *(f"    - `{command}`" for command in commands)]
    return "\n".join(lines)


def runs_described(runs):
    return "\n".join(map(described, runs)) + f"\n\nShown in full is `{runs[0].name}`.\n"


def goals_missed(runs):
    lines, total = missed(runs)
    return f"{len(lines)} of {total}, with the ratio in each run that has it:\n\n{''.join(lines)}"


def for_each_set(part):
    """The part for the runs of each set of peers, below a heading with their versions."""
    return lambda sets: "\n".join(f"### Beside {runs[0].peers}\n\n{part(runs)}" for runs in sets)


def readme(sets):
    """The lines of the latest set's shown run."""
    figures = sets[0][0]
    head = ["what", "command", "MMT", "glibc", "best other"]
    lines = []
    for line in figures_readme.LINES:
        unit = figures.units[f"{line.suite}/{line.program}", line.metric]
        samples = figures_readme.samples_of(figures, line)
        lines.append(figures_readme.cells(samples, line, lambda value, unit=unit: quantity(value, unit)))
    mean = figures_readme.MEAN
    lines.insert(figures_readme.MEAN_AFTER, figures_readme.cells(figures_readme.means_of(figures, mean), mean, "{:.2f}".format))
    return f"{rendered([head])}|{'---|' * len(head)}\n{rendered(lines)}"


def costs(sets):
    """What the latest set's shown run cost, over all its programs: README.md's numbers."""
    figures = sets[0][0]
    programs = sorted(program for program, metric in figures.samples if metric == "cpu")

    def ratio(program, others):
        key = (program, "cpu")
        return figures.median(key, "mmt") / min(figures.median(key, name) for name in others)

    of_glibc = [ratio(one, ["glibc"]) for one in programs]
    of_best = [ratio(one, set(figures.samples[one, "cpu"]) - {"mmt"}) for one in programs]
    found = list(peaks(figures))
    missed = [one for one in found if not one.met]
    return (f"- **CPU time** of {len(programs)} programs: {min(of_glibc):.2f} to {max(of_glibc):.2f} of glibc's, "
            f"at most {max(of_best):.2f} of the best allocator's.\n"
            f"- **Memory**: {len(found) - len(missed)} of {len(found)} programs need at most a tenth and 8 MiB "
            f"more than the best allocator; others up to {max((one.ours / one.theirs for one in missed), default=1):.2f} times "
            f"that.\n")  # fmt: skip


PARTS = {
    "runs": for_each_set(runs_described),
    "table": for_each_set(table),
    "peaks": for_each_set(lambda runs: peak_table(runs[0])),
    "missed": for_each_set(goals_missed),
    "readme": readme,
    "costs": costs,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    sys.stdout.write(PARTS[parser.parse_args().part](sets_of_runs()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
