#!/usr/bin/env python3
"""Runs one case twice, plainly and under an allocator, and requires the same results.

    run_case.py --mmt build/release/bin/mmt gawk     under `mmt run`
    run_case.py --mmt ... --heap lea gawk            under `mmt run --heap lea`
    run_case.py --mmt ... --backend glibc --protocol sync gawk
    run_case.py --preload LIBRARY.so gawk            under LD_PRELOAD
    run_case.py --plain gawk                         plainly twice: is the case deterministic?

A case is a file cases/NAME.py, or soak_cases/NAME.py for `make soak` alone. It has a function
`case(lab)` (see harness/lab.py) and PACKAGES, the Debian packages it needs. It may have SECONDS,
the time both runs together may take, and NEEDS, what support/machine.py must find. Exit status: 0
the same, 1 different or failed, 2 wrong use, 77 not tried.
"""

import argparse
import importlib.util
import os
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import machine

from harness import compare, processes
from harness.allocator import Allocator, Mmt, Preload
from harness.lab import CaseFailure, Lab

_HERE = os.path.dirname(os.path.abspath(__file__))
_FOLDERS = [os.path.join(_HERE, name) for name in ("cases", "soak_cases")]
_SECONDS = 120
SKIPPED = 77


class OutOfTime(Exception):
    pass


def _ring(signum, frame):
    raise OutOfTime


def load(name):
    paths = [os.path.join(folder, f"{name}.py") for folder in _FOLDERS]
    path = next(filter(os.path.exists, paths), paths[0])
    spec = importlib.util.spec_from_file_location(f"case_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_once(module, allocator, base):
    """The lab after the case has run in it; its problems are empty when all went well."""
    lab = Lab(allocator, os.path.join(base, "work"), os.path.join(base, "staging"))
    try:
        module.case(lab)
    except CaseFailure as failure:
        lab.problems.append(str(failure))
    finally:
        lab.close()
    return lab


def judge(module, allocator, base, repeat):
    """All problems of one plain run and `repeat` tested ones."""
    problems = []
    started = time.monotonic()
    plain = run_once(module, Allocator(), base)
    times = [time.monotonic() - started]
    problems += [f"plain: {text}" for text in plain.problems]
    os.rename(plain.folder, os.path.join(base, "plain"))
    for _ in range(repeat if not problems else 0):
        started = time.monotonic()
        tested = run_once(module, allocator, base)
        times.append(time.monotonic() - started)
        problems += [f"{allocator.name}: {text}" for text in tested.problems]
        problems += compare.differences(plain.records, tested.records, allocator.name)
        if problems:
            break
        shutil.rmtree(tested.folder)
    return problems, times


def main():
    parser = argparse.ArgumentParser(description="Run one case plainly and under an allocator.")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--mmt", metavar="PATH", help="the mmt program")
    how.add_argument("--preload", metavar="LIBRARY", help="any allocator library")
    how.add_argument("--plain", action="store_true", help="no library in either run")
    parser.add_argument("--heap", metavar="NAME", help="with --mmt: the heap to run on")
    parser.add_argument("--backend", metavar="NAME", help="with --mmt: the allocator to offload")
    parser.add_argument("--protocol", metavar="NAME", help="with --mmt and --backend")
    parser.add_argument("--options", default="", help="more for MMT_OPTIONS, such as server=off")
    parser.add_argument("--repeat", type=int, default=1, help="tested runs (default 1)")
    parser.add_argument("--keep", action="store_true", help="keep the folders of a failed case")
    parser.add_argument("case")
    options = parser.parse_args()
    try:
        allocator = Mmt(options.mmt, options.heap, options.backend, options.protocol) if options.mmt else Allocator()
        allocator = Preload(options.preload) if options.preload else allocator
        allocator.options = options.options
        module = load(options.case)
    except FileNotFoundError as error:
        parser.error(str(error))

    why = machine.lacks(*getattr(module, "NEEDS", []))
    if why:
        print(f"not tried here: {why}")
        return SKIPPED
    processes.adopt_orphans()
    base = tempfile.mkdtemp(prefix=f"mmt-{options.case}-")
    os.chmod(base, 0o755)
    signal.signal(signal.SIGALRM, _ring)
    signal.signal(signal.SIGTERM, _ring)
    seconds = getattr(module, "SECONDS", _SECONDS)
    signal.alarm(seconds * max(1, options.repeat))
    problems, times = [], []
    try:
        problems, times = judge(module, allocator, base, options.repeat)
    except OutOfTime:
        problems = [f"stopped or out of time ({seconds} s for both runs)"]
    finally:
        signal.alarm(0)
        processes.kill_all()
        if not (options.keep and problems):
            shutil.rmtree(base, ignore_errors=True)
    for problem in problems:
        print(f"{options.case}: {problem}", file=sys.stderr)
    if problems:
        if options.keep:
            print(f"{options.case}: kept {base}", file=sys.stderr)
        return 1
    plain, *tested = times
    print(f"{options.case}: the same, plain {plain:.2f} s, {allocator.name} {max(tested):.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
