#!/usr/bin/env python3
"""Runs misuse.cpp on the hardened heap with each preset, and faults that are counted.

    run_misuse.py MMT PROGRAM SECONDS [SEED]

The heap is to survive all wrong calls: the program gets to its end in time, and finds in its blocks
what it wrote there. Nobody but MMT writes to stderr. Faults are to be found, too. SECONDS are for
each run. The seed is told where a run fails.
"""

import os
import random
import re
import subprocess
import sys

PRESETS = ("async", "sync", "debug", "openbsd", "phk")
THREADS = (1, 2, 4)
GRACE = 60  # seconds for a run to end, on a busy machine
KINDS = re.compile(r"^mmt: (double-free|invalid-free|overflow|type-mismatch|size-mismatch|write-after-free): ", re.M)
# What each preset is to find; phk has no tails and no families.
FOUND = {"phk": {"double-free", "invalid-free"}, "openbsd": {"double-free", "invalid-free", "overflow"}}
FOUND_ELSE = {"double-free", "invalid-free", "overflow", "type-mismatch", "size-mismatch"}


def fault_of(mmt, program, seconds, seed, preset, threads):
    """What is wrong with a run; "": nothing."""
    command = [mmt, "run", f"--harden={preset}", "--", program, str(seed), str(threads), str(seconds)]
    environment = {**os.environ, "MMT_OPTIONS": "harden_after=count"}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, errors="replace", timeout=seconds + GRACE, check=False
        )
    except subprocess.TimeoutExpired:
        return "it hangs"
    if done.returncode != 0:
        return f"status {done.returncode}: {done.stderr[-1500:]}"
    others = [line for line in done.stderr.splitlines() if not line.startswith("mmt: ")]
    if others:
        return f"on stderr: {others[:3]}"
    missing = FOUND.get(preset, FOUND_ELSE) - set(KINDS.findall(done.stderr))
    return f"never found: {sorted(missing)}" if missing else ""


def main():
    mmt, program, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
    wrong = 0
    for preset in PRESETS:
        threads = THREADS[(seed + PRESETS.index(preset)) % len(THREADS)]
        fault = fault_of(mmt, program, seconds, seed, preset, threads)
        print(f"{preset}, {threads} threads, seed {seed}: {fault or 'ok'}", flush=True)
        wrong += fault != ""
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
