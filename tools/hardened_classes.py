#!/usr/bin/env python3
"""Runs the cases of tests/harden on other allocators too, and writes what became of each fault.

    tools/hardened_classes.py OUT.csv NAME=LIBRARY...
    tools/hardened_classes.py --table CSV       the table of docs/hardening.md

The cases are those of a build in build/release; MMT's presets async and sync are always there. A
library `none` is libc's own malloc. A program runs three times a size, and the outcome that came
most often counts:

    report    MMT said which fault it is, and the status is not 0
    ended     a signal ended the program, at the fault or later
    neutral   what the program read was harmless: zeros, junk, or its own
    missed    the program went on with damaged memory, or read what was not its own

How late a report of async was at most is in the column `late_ms`, the median of the runs. Cases that
are to be ok, and good twins, are left out.
"""

import collections
import csv
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "tests/harden/cases"
PROGRAMS = ROOT / "build/release/tests/harden"
MMT = ROOT / "build/release/bin/mmt"
TRIES = 3
SECONDS = 20
SIGNALLED = (4, 5, 6, 7, 8, 11)  # by faults and aborts
sys.path.insert(0, str(ROOT / "tests/harden"))
sys.dont_write_bytecode = True
import run_cases  # noqa: E402

# By what a case's name begins with.
GROUPS = {
    "double": "freed twice",
    "free": "freed, what is no block",
    "realloc": "wrong resizing and sizes",
    "usable": "wrong resizing and sizes",
    "overflow": "written beyond the end",
    "underflow": "written before the beginning",
    "waf": "written after it was freed",
    "read": "read after it was freed, or before it was written",
    "secret": "read after it was freed, or before it was written",
    "metadata": "the heap's own memory",
    "heap": "the heap's own memory",
}
FAMILIES = "freed by another family, or as another type"


def group_of(name):
    return GROUPS.get(name.split("_")[0], FAMILIES)


def outcome_of(command, environment, is_ours):
    """The outcome, and how late it was told at most, in ms; None where it was not."""
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "ended", None
    if is_ours and done.returncode != 0 and any(f"mmt: {kind}: " in done.stderr for kind in run_cases.KINDS):
        return "report", run_cases.lateness(done.stderr)
    if done.returncode < 0 or done.returncode - 128 in SIGNALLED:
        return "ended", None
    return "passed" if done.returncode == 0 else "missed", None


def run(program, case, size, library):
    """The outcome that came most often, and the median of how late a report was."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MMT_", "LD_"))}
    command = [str(program), run_cases.argument_of(size)]
    is_ours = library.startswith("mmt:")
    if is_ours:
        command = [str(MMT), "run", f"--harden={library.removeprefix('mmt:')}", "--", *command]
    elif library != "none":
        environment["LD_PRELOAD"] = library
    seen = [outcome_of(command, environment, is_ours) for _ in range(TRIES)]
    outcome = collections.Counter(one for one, _ in seen).most_common(1)[0][0]
    late = [one for _, one in seen if one is not None]
    if outcome != "passed":
        return outcome, statistics.median_low(late) if late else ""
    reads = "neutral" in case.expected(case.presets[0], size)
    return "neutral" if reads else "missed", ""


def write(path, libraries):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["case", "size", "group", "late_ms", *libraries])
        for source in sorted(CASES.glob("*.c*")):
            name = source.stem
            case = run_cases.Case(source.read_text(encoding="utf-8"))
            if all(case.expected(preset, size) == ["ok"] for preset in case.presets for size in case.sizes):
                continue
            for size in case.sizes:
                if not {"async", "sync"} & set(case.presets):
                    continue
                seen = {key: run(PROGRAMS / f"harden_{name}", case, size, library) for key, library in libraries.items()}
                late = seen["async"][1]
                out.writerow([name, size, group_of(name), late, *(outcome for outcome, _ in seen.values())])
            file.flush()


def table(path):
    """For each group: how many cases were not missed, and what others caught and we did not."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [key for key in rows[0] if key not in ("case", "size", "group", "late_ms")]
    print("| faults | " + " | ".join(names) + " | async late, ms |\n|---|" + "---|" * (len(names) + 1))
    groups = list(dict.fromkeys(row["group"] for row in rows))
    for group in [*groups, "all"]:
        of_group = [row for row in rows if group in (row["group"], "all")]
        found = [sum(row[name] != "missed" for row in of_group) for name in names]
        late = [int(row["late_ms"]) for row in of_group if row["late_ms"]]
        lateness = f"{statistics.median_low(late)}, at most {max(late)}" if late else "none told"
        print(f"| {group} ({len(of_group)}) | " + " | ".join(map(str, found)) + f" | {lateness} |")
    for ours in ("async", "sync"):
        lost = [
            f"{row['case']} {row['size']}"
            for row in rows
            if row[ours] == "missed" and any(row[name] != "missed" for name in names if name not in ("async", "sync"))
        ]
        print(f"\n{ours} misses what another does not: {', '.join(lost) or 'none'}")


def main():
    if sys.argv[1:2] == ["--table"]:
        return table(sys.argv[2])
    libraries = {"async": "mmt:async", "sync": "mmt:sync"}
    libraries.update(argument.split("=", 1) for argument in sys.argv[2:])
    return write(sys.argv[1], libraries)


if __name__ == "__main__":
    sys.exit(main())
