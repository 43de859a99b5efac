#!/usr/bin/env python3
"""What recording costs: each native program of the ABT/SBT study, without and under `mmt trace`.

    make && tools/tracing_cost.py                                  all six, nine pairs each
    tools/tracing_cost.py --rounds 3 gawk redis                    a try
    tools/tracing_cost.py --csv docs/figures/tracing-cost.csv      keep the samples

Their inputs are longer than the study's. Both of a pair run one after the other, in turns which is
first. A program's time is that from its start to the end of the recording; a server's is that of
the client which loads it. Told are the median of the pairs' ratios, the lowest and the highest, and
the CPU time of program and recorder. The exit status is 1 where a median is above the limit.
"""

import argparse
import dataclasses
import os
import pathlib
import resource
import select
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import cost_options
from cost_options import ROOT
from mmt_lab.measuring.launcher import clean_environment
from mmt_lab.traces import programs, recording

LIMIT = 1.10
PATIENCE = 600.0
SCRIPTS = ROOT / "workloads" / "scripts"


# The study's inputs are traces' sizes: of a program that ends at once, the start alone would be told.
# By program, words of its command or load, and what stands in their place.
LONGER = {
    "gawk": {"lines=10000": "lines=60000"},
    "perl": {"12000": "90000"},
    "sqlite3": {".read {scripts}/orders.sql": ".read {scripts}/shop.sql"},
    "python3": {"300": "3000"},
    "redis": {"40000": "150000"},
}


def longer(traced):
    wanted = LONGER.get(traced.name, {})
    if gone := set(wanted) - {*traced.command, *traced.load}:
        raise SystemExit(f"tracing_cost: {traced.name} has no word '{gone.pop()}' any more")

    def words(of):
        return tuple(wanted.get(one, one) for one in of)

    return dataclasses.replace(traced, command=words(traced.command), load=words(traced.load))


def places(work):
    return {
        "scripts": SCRIPTS,
        "tmp": work,
        "cc1plus": recording.told_by_compiler("-print-prog-name=cc1plus"),
        "multiarch": recording.told_by_compiler("-print-multiarch"),
    }


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def status_of(process):
    """Its exit status, the moment it ends: Popen.wait(timeout) would see that up to 50 ms later."""
    descriptor = os.pidfd_open(process.pid)
    try:
        if not select.select([descriptor], [], [], PATIENCE)[0]:
            raise SystemExit(f"tracing_cost: '{process.args[0]}' has not ended in {PATIENCE:.0f} s")
    finally:
        os.close(descriptor)
    return process.wait()


def run_client(words, **more):
    process = subprocess.Popen(words, **more)
    try:
        if status := status_of(process):
            raise SystemExit(f"tracing_cost: '{words[0]}' ended with status {status}")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def run(traced, prefix):
    """Seconds, and CPU seconds of the program and its recorder."""
    with tempfile.TemporaryDirectory(prefix="tracing-cost-") as folder:
        work = pathlib.Path(folder)
        filled = places(work)
        environment = clean_environment() | dict(traced.environment)
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

        def words(of):
            return [one.format(**filled) for one in of]

        command = [*(one.format(tmp=work) for one in prefix), *words(traced.command)]
        before, start = cpu_seconds(), time.monotonic()
        process = subprocess.Popen(command, cwd=work, env=environment, **streams)
        client = 0.0
        try:
            if traced.load:
                while not (work / "socket").exists():
                    if process.poll() is not None or time.monotonic() > start + 30:
                        raise SystemExit(f"tracing_cost: {traced.name} does not listen")
                    time.sleep(0.02)
                client, start = -cpu_seconds(), time.monotonic()
                run_client(words(traced.load), env=environment, **streams)
                seconds = time.monotonic() - start
                client += cpu_seconds()
                run_client(words(traced.end), env=environment, **streams)
                status = status_of(process)
            else:
                status = status_of(process)
                seconds = time.monotonic() - start
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if status:
            raise SystemExit(f"tracing_cost: {traced.name} ended with status {status}")
        return seconds, cpu_seconds() - before - client


def measure(traced, binary, rounds):
    ways = {"bare": (), "traced": (binary, "trace", "-q", "-o", "{tmp}/t.mtr", "--")}
    for prefix in ways.values():
        run(traced, prefix)  # files are in memory then
    pairs = []
    for number in range(rounds):
        pair = {}
        for name in sorted(ways, reverse=number % 2 == 1):
            pair[name] = run(traced, ways[name])
        pairs.append(pair)
    return pairs


def told(name, pairs):
    """The line of a program, and the median of its ratios."""
    ratios = [one["traced"][0] / one["bare"][0] for one in pairs]

    def median(way, which):
        return statistics.median(one[way][which] for one in pairs)

    middle = statistics.median(ratios)
    print(
        f"{name:8} {median('bare', 0):8.3f} {median('traced', 0):8.3f} {middle:8.3f}"
        f"   {min(ratios):.3f} to {max(ratios):.3f} {median('bare', 1):8.2f} {median('traced', 1):8.2f}",
        flush=True,
    )
    return middle


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [one.name for one in programs.NATIVE]
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(names)} [all]")
    cost_options.add_to(parser, rounds=9)
    options = cost_options.parse(parser)
    if unknown := set(options.programs) - set(names):
        parser.error(f"no program '{unknown.pop()}'")
    print("program  bare, s traced, s   ratio   of pairs        CPU, s: bare, traced")
    rows, missed = [], False
    for traced in programs.NATIVE:
        if options.programs and traced.name not in options.programs:
            continue
        pairs = measure(longer(traced), options.binary, options.rounds)
        missed = told(traced.name, pairs) > LIMIT or missed
        for number, pair in enumerate(pairs):
            rows += [(traced.name, number, way, *map("{:.4f}".format, pair[way])) for way in pair]
    cost_options.write_samples(options.table, ("program", "pair", "way", "seconds", "cpu_seconds"), rows)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
