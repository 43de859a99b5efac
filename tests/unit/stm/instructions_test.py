#!/usr/bin/env python3
"""A transaction on the red-black tree, in instructions: no more than recorded.

usage: instructions_test.py PEERS MOST

Callgrind counts two runs of the program that compares us with libitm: what happens once falls out of
their difference. Status 77 without valgrind.
"""

import re
import shutil
import subprocess
import sys

FEW, MANY = 20_000, 60_000


def instructions(program, operations):
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "--alone", "ours",
             "--structure", "tree", "--operations", str(operations)]  # fmt: skip
    run = subprocess.run(words, capture_output=True, text=True, timeout=200, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def main(program, most):
    if shutil.which("valgrind") is None:
        print("not tried here: no valgrind")
        return 77
    each = (instructions(program, MANY) - instructions(program, FEW)) / (MANY - FEW)
    print(f"{each:.1f} instructions a transaction, {most} at most")
    return 0 if each <= float(most) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
