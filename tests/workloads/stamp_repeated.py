#!/usr/bin/env python3
"""An application of `stamp` on its small input, again and again with 1, 2, 4 and 8 threads, over
all designs. It has many orecs and few, so that attempts abort for each other's sake. Each run
checks its own result.
"""

import itertools
import json
import subprocess
import sys

PROGRAM, APPLICATION, RUNS = sys.argv[1], sys.argv[2], int(sys.argv[3])
DESIGNS = ["write-back", "commit-time", "write-through", "norec"]
SETTINGS = list(itertools.product(["20", "4"], DESIGNS))


def run(threads, orecs, design):
    command = [PROGRAM, "--application", APPLICATION, "--threads", str(threads), "--design", design,
               "--log2-orecs", orecs]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def main():
    settings = itertools.cycle(SETTINGS)
    for threads in (1, 2, 4, 8):
        attempts = commits = 0
        for _ in range(RUNS):
            orecs, design = next(settings)
            result = run(threads, orecs, design)
            if not result["right"] or result["threads"] != threads:
                sys.exit(f"{APPLICATION}: not right with {threads} threads: {result}")
            attempts += result["stm"]["attempts"]
            commits += result["stm"]["commits"]
        if threads == 1 and attempts != commits:
            sys.exit(f"{APPLICATION}: one thread aborted {attempts - commits} attempts")
        print(f"{APPLICATION}: {RUNS} runs with {threads} threads, "
              f"{commits} commits of {attempts} attempts")


main()
