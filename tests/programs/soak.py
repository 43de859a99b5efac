#!/usr/bin/env python3
"""Runs the cases under `mmt run` with options that make rare things frequent. Too long for CI.

    soak.py --mmt build/release/bin/mmt --minutes 30

Goes through all pairs of an option set and a case, in rounds, until the time is over. Exit status
1 as soon as a pair fails; its reproducing command is printed.
"""

import argparse
import os
import subprocess
import sys
import time

import peers

_HERE = os.path.dirname(os.path.abspath(__file__))

# What each set is after.
OPTIONS = {
    "": "the defaults",
    "start=0": "a memory thread in every process, also the smallest",
    "server=off": "direct mode",
    "start=0:decay=0": "memory goes back to the system at once",
    "start=0:drain=on": "freed blocks travel to it",
    "huge_pages=on:huge_from=0": "huge pages from the first byte",
    "huge_pages=off:prefault=off": "neither huge pages nor prefaulting",
    "rseq=off": "without restartable sequences",
}


def main():
    parser = argparse.ArgumentParser(description="Run the cases with unusual options, for long.")
    parser.add_argument("--mmt", metavar="PATH", required=True, help="the mmt program")
    parser.add_argument("--minutes", type=float, default=30, help="how long (default 30)")
    parser.add_argument("cases", nargs="*", default=peers.all_cases(), metavar="CASE")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.minutes * 60
    done = 0
    while True:
        for options in OPTIONS:
            for case in arguments.cases:
                command = [sys.executable, "-B", os.path.join(_HERE, "run_case.py")]
                command += ["--mmt", arguments.mmt, f"--options={options}", case]
                if time.monotonic() > end:
                    print(f"soak: {done} runs, all the same")
                    return 0
                if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode != 0:
                    print("soak: failed after", done, "runs:", *command)
                    return 1
                done += 1


if __name__ == "__main__":
    sys.exit(main())
