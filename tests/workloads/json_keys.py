#!/usr/bin/env python3
"""What `stamp` and `synthetic` print is JSON of which no object has a key twice."""

import json
import subprocess
import sys

STAMP, SYNTHETIC = sys.argv[1:]
APPLICATIONS = ("bayes", "genome", "intruder", "kmeans", "labyrinth", "labyrinth-quirk", "ssca2", "vacation",
                "vacation-quirk", "yada")  # fmt: skip
STRUCTURES = ("list", "hash", "tree", "bank", "threadtest")


def commands():
    for application in APPLICATIONS:
        for words in ((), ("--sequential",)):
            yield [STAMP, "--application", application, "--size", "small", *words]
    for structure in STRUCTURES:
        yield [SYNTHETIC, "--structure", structure, "--operations", "200"]


def once(pairs):
    keys = [key for key, _ in pairs]
    if twice := sorted({key for key in keys if keys.count(key) > 1}):
        raise ValueError(f"twice: {', '.join(twice)}")
    return dict(pairs)


def main():
    for command in commands():
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        try:
            json.loads(done.stdout, object_pairs_hook=once)
        except ValueError as wrong:
            sys.exit(f"{' '.join(command)}: {wrong}\n{done.stdout}")


main()
