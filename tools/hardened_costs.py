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


def table(path):
    """Medians against the first allocator's, a line an allocator: the means of all programs and the worst."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = list(dict.fromkeys(row["allocator"] for row in rows if row["round"] == "0"))
    programs = list(dict.fromkeys(row["program"] for row in rows))

    def median(program, name, value):
        return statistics.median(float(r[value]) for r in rows if (r["program"], r["allocator"]) == (program, name))

    print("| | time | worst | CPU | resident |\n|---|---|---|---|---|")
    for name in names:
        quotients = {
            value: {p: median(p, name, value) / median(p, names[0], value) for p in programs} for value in VALUES
        }
        mean = {value: math.prod(of.values()) ** (1 / len(of)) for value, of in quotients.items()}
        worst = max(quotients["seconds"], key=quotients["seconds"].get)
        print(
            f"| {name} | {mean['seconds']:.3f} | {worst} {quotients['seconds'][worst]:.2f} "
            f"| {mean['cpu']:.3f} | {mean['rss_kib']:.2f} |"
        )


def main():
    if sys.argv[1] == "--table":
        table(sys.argv[2])
    else:
        measure(int(sys.argv[1]), sys.argv[2], dict(argument.split("=", 1) for argument in sys.argv[3:]))


if __name__ == "__main__":
    main()
