#!/usr/bin/env python3
"""What each job of the memory thread is worth: programs with one job off at a time.

    make && tools/memory_thread_jobs.py                                   all, seven rounds
    tools/memory_thread_jobs.py --rounds 3 --only perl,tree               a try
    tools/memory_thread_jobs.py --csv docs/figures/memory-thread-jobs.csv keep the samples

`mmt bench` measures wall and CPU time, interleaved. One run more of each tells the thread's own CPU
time, its wake-ups, and what it made resident. It tells the program's page faults that were traps,
too (by perf, where it may). The table is Markdown: medians, and the ratios of medians to those with
all jobs off.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import cost_options
from cost_options import ROOT

OFF = "server=off"
# What is off, by options.
WAYS = {
    "nothing": "",
    "drain": "drain=off",
    "prefault": "prefault_max=0",
    "huge pages": "huge_pages=off",
    "giving back": "decay=3600000",
    "all": OFF,
}
SUITES = ("growth", "programs", "rebuild", "large")
PROGRAMS = ("tree", "maps", "gawk", "perl", "sqlite3", "lua", "mixed", "scattered", "blocks")
COLUMNS = ("program", "off", "round", "seconds", "cpu_seconds", "thread_cpu_ms", "wake_ups", "small_mib", "huge_mib", "traps")
MIB = 1 << 20


def fail(message):
    raise SystemExit(f"memory_thread_jobs: {message}")


def name_of(options):
    return f"mmt:{options}" if options else "mmt"


def bench(binary, only, rounds):
    """The report of `mmt bench`."""
    with tempfile.TemporaryDirectory(prefix="memory-thread-jobs-") as folder:
        report = pathlib.Path(folder, "report.json")
        words = [binary, "bench", "-q", "--runs", str(rounds), "--json", str(report), "--only", ",".join(only)]
        words += ["--allocators", ",".join(name_of(options) for options in WAYS.values())]
        done = subprocess.run([*words, *SUITES], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            fail(f"'mmt bench' ended with status {done.returncode}")
        return json.loads(report.read_text(encoding="utf-8"))


def traps_of(command, environment):
    """None where perf is not there, or may not."""
    try:
        done = subprocess.run(["perf", "stat", "-x,", "-e", "page-faults", *command], env=environment, cwd=ROOT,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)  # fmt: skip
    except FileNotFoundError:
        return None
    found = re.search(r"^(\d+),.*page-faults", done.stderr, re.MULTILINE)
    return int(found[1]) if found else None


def counters(binary, command, options):
    """The memory thread's own figures, of one run."""
    library = pathlib.Path(binary).parent.parent / "lib/libmmt.so"
    with tempfile.TemporaryDirectory(prefix="memory-thread-jobs-") as folder:
        file = pathlib.Path(folder, "stats.json")
        settings = ":".join(filter(None, (options, f"stats={file}")))
        environment = {**os.environ, "MMT_OPTIONS": settings}
        # The tool that counts is not to be counted.
        traps = traps_of(["env", f"LD_PRELOAD={library}", *command], environment)
        if traps is None:
            subprocess.run(command, env={**environment, "LD_PRELOAD": str(library)}, cwd=ROOT,
                           stdout=subprocess.DEVNULL, check=True)  # fmt: skip
        stats = json.loads(file.read_text(encoding="utf-8"))["stats"]
    huge = stats["prefault_huge"] * 2
    return {
        "thread_cpu_ms": stats["server_cpu_ns"] / 1e6,
        "wake_ups": stats["server_naps"] + stats["server_parks"],
        "small_mib": stats["prefault_bytes"] / MIB - huge,
        "huge_mib": huge,
        "traps": "" if traps is None else traps,
    }


def row_of(program, off, found, base):
    return (
        f"| {program} | {off} | {found['seconds'] / base['seconds']:.2f} | {found['cpu_seconds'] / base['cpu_seconds']:.2f} "
        f"| {found['thread_cpu_ms']:.0f} ms | {found['wake_ups']} | {found['small_mib']:.0f}, {found['huge_mib']:.0f} MiB "
        f"| {found['traps']} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(PROGRAMS), help=f"programs of {', '.join(SUITES)} [%(default)s]")
    cost_options.add_to(parser, rounds=7)
    options = cost_options.parse(parser)
    report = bench(options.binary, options.only.split(","), options.rounds)
    rows = []
    print("| program | off | time | CPU | thread | wake-ups | ahead: small, huge | traps |\n|---|---|---|---|---|---|---|---|")
    for program in report["programs"]:
        cells = {one["allocator"]: one["metrics"] for one in program["cells"]}
        name = f"{program['suite']}/{program['name']}"
        medians = {}
        for off, setting in WAYS.items():
            metrics = cells[name_of(setting)]
            found = counters(options.binary, program["command"], setting)
            for wall, cpu in zip(metrics["wall"]["samples"], metrics["cpu"]["samples"], strict=True):
                kept = {"program": name, "off": off, "round": wall["round"], "seconds": wall["value"],
                        "cpu_seconds": cpu["value"], **found}  # fmt: skip
                rows.append([kept[column] for column in COLUMNS])
            medians[off] = found | {"seconds": metrics["wall"]["median"], "cpu_seconds": metrics["cpu"]["median"]}
        for off, found in medians.items():
            print(row_of(name, off, found, medians["all"]), flush=True)
    cost_options.write_samples(options.table, COLUMNS, rows)


if __name__ == "__main__":
    sys.exit(main())
