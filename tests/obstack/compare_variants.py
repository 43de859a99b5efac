#!/usr/bin/env python3
"""Runs the same program, built against several headers: all succeed and print the same."""

import os
import pathlib
import subprocess
import sys


def run(program):
    # A chunk that cannot be had is a case here, no mistake.
    more = os.environ.get("ASAN_OPTIONS", "")
    environment = dict(os.environ, ASAN_OPTIONS=f"allocator_may_return_null=1:{more}")
    return subprocess.run([program], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=30, check=False)


def main():
    programs = sys.argv[1:]
    assert len(programs) > 1, "nothing to compare"
    expected = None
    failures = 0
    for program in programs:
        name = pathlib.Path(program).name
        result = run(program)
        if result.returncode != 0:
            failures += 1
            print(f"{name}: status {result.returncode}: {result.stderr}")
        elif expected is None:
            expected = (name, result.stdout)
        elif result.stdout != expected[1]:
            failures += 1
            print(f"{name} prints\n{result.stdout}\nbut {expected[0]} prints\n{expected[1]}")
    print(f"{len(programs)} programs, {failures} failures\n{expected[1] if expected else ''}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
