#!/usr/bin/env python3
"""Runs the cases under allocators installed on this machine, to tell a library's bug from a case's.

    peers.py                       every case under every peer found
    peers.py --peer jemalloc git   one case under one peer
    peers.py --peer plain          every case twice without any library

The mmt that MMT_TEST_BINARY names finds them. Prints one line a case and peer; exit status 1 when any
failed.
"""

import argparse
import glob
import json
import os
import subprocess
import sys
import time

_HERE = os.path.dirname(os.path.abspath(__file__))
_MMT = os.environ.get("MMT_TEST_BINARY", "build/release/bin/mmt")


def installed():
    """Name and path of each peer on this machine."""
    told = subprocess.run([_MMT, "list", "allocators", "--json"], capture_output=True, check=True)
    allocators = json.loads(told.stdout)["allocators"]
    return {one["name"]: one["path"] for one in allocators if one["name"] not in ("mmt", "glibc")}


def all_cases():
    paths = glob.glob(os.path.join(_HERE, "cases", "*.py"))
    return sorted(os.path.basename(path).removesuffix(".py") for path in paths)


def main():
    peers = installed()
    parser = argparse.ArgumentParser(description="Run the cases under installed allocators.")
    parser.add_argument("--peer", action="append", choices=[*peers, "plain"])
    parser.add_argument("--repeat", type=int, default=1, help="tested runs a case (default 1)")
    parser.add_argument("cases", nargs="*", default=all_cases(), metavar="CASE")
    options = parser.parse_args()
    failed = 0
    for peer in options.peer or peers:
        how = ["--plain"] if peer == "plain" else ["--preload", peers[peer]]
        for case in options.cases:
            command = [sys.executable, "-B", os.path.join(_HERE, "run_case.py"), *how]
            started = time.monotonic()
            done = subprocess.run(
                [*command, "--repeat", str(options.repeat), case],
                capture_output=True,
                text=True,
                check=False,
            )
            verdict = "ok" if done.returncode == 0 else "FAILED"
            print(
                f"{peer:10} {case:14} {verdict:7} {time.monotonic() - started:6.1f} s", flush=True
            )
            if done.returncode != 0:
                failed += 1
                print(done.stderr, end="", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
