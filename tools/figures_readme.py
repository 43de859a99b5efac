"""README.md's table: a few programs that MMT is good at, and some that it loses, beside all peers.

Figures are medians of rounds. The best stands bold where its 95% interval lies apart from every
other allocator's. An interval stands beside its median where it is wider than that. Such an
interval reaches from one sample to another, whatever the samples' distribution; fewer than six
rounds have none, and nothing of them is bold.
"""

import math
import statistics
from collections import namedtuple

Line = namedtuple("Line", "what suite program metric of", defaults=("least",))  # `of`: which value is best

LINES = [
    Line("building large structures, whole run", "growth", "all", "wall"),
    Line("blocks of 64 KiB to 64 MiB, whole run", "large", "blocks", "wall"),
    Line("freeing a tree (`teardown`)", "rebuild", "tree", "teardown"),
    Line("99% of `malloc` calls take at most (`malloc_p99`)", "latency", "grow_free_grow_64k", "malloc_p99"),
    Line("given back 5 s after use: more is better", "memory", "decay", "returned", "most"),
    Line("the same, larger blocks", "memory", "decay_4000", "returned", "most"),
]
MEAN = Line("six programs, of glibc's time", "programs", None, "wall")
MEAN_AFTER = 2  # lines


def interval(values):
    """That of the median, at 95% or more: (low, high) of the samples, None where they are too few."""
    ordered, skipped, outside = sorted(values), -1, 0.0
    while True:
        outside += 2 * math.comb(len(ordered), skipped + 1) / 2 ** len(ordered)
        if outside > 0.05:
            return (ordered[skipped], ordered[-1 - skipped]) if skipped >= 0 else None
        skipped += 1


def samples_of(figures, line):
    """{allocator: values}."""
    samples = figures.samples[f"{line.suite}/{line.program}", line.metric]
    return {name: list(rounds.values()) for name, rounds in samples.items()}


def means_of(figures, line):
    """{allocator: values}: of each round the geometric mean of the ratios to glibc's."""
    programs = [one for key, one in figures.samples.items()
                if key[0].startswith(f"{line.suite}/") and key[1] == line.metric]  # fmt: skip
    rounds = sorted(set.intersection(*(set(one["glibc"]) for one in programs)))
    return {
        name: [statistics.geometric_mean(one[name][i] / one["glibc"][i] for one in programs) for i in rounds]
        for name in programs[0]
    }


def best_of(samples, line, names):
    choose = max if line.of == "most" else min
    return choose(names, key=lambda name: statistics.median(samples[name]))


def is_apart(samples, best):
    bounds = {name: interval(values) for name, values in samples.items()}
    if None in bounds.values():
        return False
    low, high = bounds.pop(best)
    return all(high < other_low or other_high < low for other_low, other_high in bounds.values())


def median_of(values, text):
    """In words; of rounds that do not agree, with the interval."""
    median, bounds = statistics.median(values), interval(values)
    if bounds is None or bounds[1] - bounds[0] <= median:
        return text(median)
    return f"{text(median)} ({text(bounds[0])} to {text(bounds[1])})"


def cells(samples, line, text):
    """`text` writes a value."""
    peer = best_of(samples, line, [name for name in samples if name not in ("mmt", "glibc")])
    best = best_of(samples, line, samples)
    shown = {name: median_of(samples[name], text) for name in ("mmt", "glibc", peer)}
    if best in shown and is_apart(samples, best):
        shown[best] = f"**{shown[best]}**"
    only = f" --only {line.program}" if line.program else ""
    return [line.what, f"`mmt bench {line.suite}{only}`", shown["mmt"], shown["glibc"], f"{shown[peer]}, {peer}"]
