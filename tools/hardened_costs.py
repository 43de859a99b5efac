#!/usr/bin/env python3
"""Times six programs on the hardened heap and on other allocators, interleaved.

    tools/hardened_costs.py ROUNDS OUT.csv NAME=LIBRARY[,VARIABLE=VALUE...]...
    tools/hardened_costs.py --table CSV

The first allocator named is what the others are compared with. An empty LIBRARY is libc's own
malloc. Each line of the CSV is one run: seconds, CPU seconds of all threads, and the largest resident
set in KiB. A run that fails, or in which MMT speaks, ends the whole.
"""

import csv
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "workloads/scripts"
PROGRAMS = {
    "gawk": ["gawk", "-f", f"{SCRIPTS}/words.awk"],
    "perl": ["perl", f"{SCRIPTS}/records.pl"],
    "python3": ["/usr/bin/python3", f"{SCRIPTS}/documents.py"],
    "sqlite3": ["sqlite3", "-bail", ":memory:", f".read {SCRIPTS}/shop.sql"],
    "lua": ["lua5.4", f"{SCRIPTS}/objects.lua"],
    "cc1plus": ["g++", "-std=c++20", "-O1", "-S", "-o", "-", f"{SCRIPTS}/templates.cpp"],
}
VALUES = ("seconds", "cpu", "rss_kib")


def run(command, allocator):
    library, *variables = allocator.split(",")
    environment = dict(os.environ, PYTHONMALLOC="malloc", PYTHONHASHSEED="0", PERL_HASH_SEED="0")
    environment.update(variable.split("=", 1) for variable in variables)
    if library:
        environment["LD_PRELOAD"] = library
    begin = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begin
    if process.returncode != 0 or b"mmt" in errors:
        sys.exit(f"{command[0]} on {allocator}: status {process.returncode}, {errors[:400]!r}")
    return round(seconds, 4), round(usage.ru_utime + usage.ru_stime, 4), usage.ru_maxrss


def measure(rounds, path, allocators):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["program", "allocator", "round", *VALUES])
        for number in range(rounds):
            for program, command in PROGRAMS.items():
                order = list(allocators.items())
                for name, allocator in reversed(order) if number % 2 else order:
                    out.writerow([program, name, number, *run(command, allocator)])
                file.flush()


RESAMPLES = 1000


class Runs:
    """The values of all runs, by program, allocator and round."""

    def __init__(self, path):
        self._values = {}
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                at = row["program"], row["allocator"], int(row["round"])
                self._values[at] = {value: float(row[value]) for value in VALUES}
        self.programs, self.names, self.rounds = (list(dict.fromkeys(part)) for part in zip(*self._values, strict=True))

    def quotient(self, program, name, value, rounds):
        """Its median by that of the first allocator."""
        ours, first = (
            statistics.median(self._values[program, one, number][value] for number in rounds)
            for one in (name, self.names[0])
        )
        return ours / first

    def mean(self, name, value, rounds):
        """The geometric mean over all programs."""
        return math.exp(statistics.fmean(math.log(self.quotient(p, name, value, rounds)) for p in self.programs))

    def interval(self, name, value):
        """The 95% bootstrap. Whole rounds are drawn, so that what disturbs all of a round falls out."""
        draw = random.Random(1)
        means = [self.mean(name, value, draw.choices(self.rounds, k=len(self.rounds))) for _ in range(RESAMPLES)]
        percentiles = statistics.quantiles(means, n=40)
        return percentiles[0], percentiles[-1]


def table(path):
    """Medians against the first allocator's, a line an allocator: the means of all programs and the worst."""
    runs = Runs(path)
    print("| | time | 95% | worst | CPU | resident |\n|---|---|---|---|---|---|")
    for name in runs.names:
        by_program = {p: runs.quotient(p, name, "seconds", runs.rounds) for p in runs.programs}
        worst = max(by_program, key=by_program.get)
        time_of, cpu, resident = (runs.mean(name, value, runs.rounds) for value in VALUES)
        low, high = runs.interval(name, "seconds")
        print(
            f"| {name} | {time_of:.3f} | {low:.3f} to {high:.3f} | {worst} {by_program[worst]:.2f} "
            f"| {cpu:.3f} | {resident:.2f} |"
        )


def main():
    if sys.argv[1] == "--table":
        table(sys.argv[2])
    else:
        measure(int(sys.argv[1]), sys.argv[2], dict(argument.split("=", 1) for argument in sys.argv[3:]))


if __name__ == "__main__":
    main()
