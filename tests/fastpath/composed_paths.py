#!/usr/bin/env python3
"""Composition costs nothing: a composed path needs at most 3% more instructions than one by hand.

Counts within the path's own function under callgrind, for two numbers of rounds, so that what
happens once falls out. The loop around Kingsley and the free list is counted by itself and taken
off.
"""

import re
import subprocess
import sys

FEW, MANY = 500, 2500
LIMIT = 1.03
COLLECTED = re.compile(r"^==\d+== Collected : (\d+)", re.MULTILINE)


def count(program, path, rounds):
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--toggle-collect=path_{path}",
         "--callgrind-out-file=/dev/null", program, path, str(rounds)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    collected = COLLECTED.search(run.stderr)
    if run.returncode != 0 or not collected:
        sys.exit(f"{path}: exit status {run.returncode}\n{run.stderr}")
    return int(collected.group(1))


def per_round(program, path):
    return (count(program, path, MANY) - count(program, path, FEW)) / (MANY - FEW)


def main():
    program = sys.argv[1]
    loop = per_round(program, "loop")
    wrong = False
    for name, overhead in (("kingsley", loop), ("freelist", loop), ("obstack", 0)):
        by_hand = per_round(program, f"{name}_by_hand") - overhead
        composed = per_round(program, f"{name}_composed") - overhead
        print(f"{name:10} by hand {by_hand:8.1f}  composed {composed:8.1f}  ratio {composed / by_hand:.3f}")
        wrong |= composed > LIMIT * by_hand
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
