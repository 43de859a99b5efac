#!/usr/bin/env python3
"""Runs programs that do nothing wrong on the hardened heap, over and over. No fault may be reported.

    soak.py MMT SCRIPTS SECONDS

SCRIPTS is the folder workloads/scripts. What a program writes is to be what it writes without MMT.
"""

import os
import subprocess
import sys
import time

SPEAKS = "mmt: "


def programs(scripts):
    """Commands by name. What git prints of one commit stays as it is."""
    head = subprocess.run(["git", "-C", scripts, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return {
        "gawk": ["gawk", "-f", f"{scripts}/words.awk"],
        "perl": ["perl", f"{scripts}/records.pl"],
        "python3": ["/usr/bin/python3", f"{scripts}/documents.py"],
        "sqlite3": ["sqlite3", "-bail", ":memory:", f".read {scripts}/shop.sql"],
        "lua": ["lua5.4", f"{scripts}/objects.lua"],
        "cc1plus": ["g++", "-std=c++20", "-O1", "-S", "-o", "-", f"{scripts}/templates.cpp"],
        "xz": ["sh", "-c", f"cat {scripts}/* | xz -T2 | xz -d | cksum"],
        "git": ["git", "-C", scripts, "--no-pager", "log", "-p", "-20", head.stdout.strip() or "HEAD"],
    }


ENVIRONMENT = {**os.environ, "PYTHONMALLOC": "malloc", "PYTHONHASHSEED": "0", "PERL_HASH_SEED": "0"}


def run(command):
    done = subprocess.run(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def main():
    mmt, scripts, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    commands = programs(scripts)
    expected = {name: run(command) for name, command in commands.items()}
    end = time.monotonic() + seconds
    runs = wrong = 0
    while time.monotonic() < end:
        for preset in ("async", "sync", "debug"):
            for name, command in commands.items():
                got = run([mmt, "run", f"--harden={preset}", "--", *command])
                runs += 1
                if SPEAKS in got[2] or got[:2] != expected[name][:2]:
                    wrong += 1
                    print(f"{name}, {preset}: status {got[0]}, {got[2][-2000:]}", flush=True)
                if time.monotonic() >= end:
                    break
    print(f"{runs} runs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
