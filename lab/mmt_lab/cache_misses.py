"""Misses of the last-level cache and of the data TLB: counted by the hardware where perf can, which
in many virtual machines it cannot; else simulated by cachegrind.

The simulated caches are those of the MMT paper's machine, whose cores share 4 MiB. cachegrind knows
no TLB: for the second number its first-level data cache is given lines of a page each, which makes
it one (256 entries, four ways). It runs one thread at a time, through the same caches: what threads
on cores of their own save each other is not seen.
"""

import functools
import re
import shutil
import subprocess

from .launcher import RunFailed

EVENTS = {"LLC-load-misses": "llc_misses", "dTLB-load-misses": "tlb_misses"}
_INSTRUCTIONS = "--I1=32768,8,64"
_SHARED = "--LL=4194304,16,64"
# Metric: the options of its simulation, and the events that are its misses.
SIMULATIONS = {
    "llc_misses": (("--D1=32768,8,64",), ("DLmr", "DLmw")),
    "tlb_misses": (("--D1=1048576,4,4096",), ("D1mr", "D1mw")),
}


@functools.cache
def has_counters():
    """Whether the hardware counts these events for us."""
    if not shutil.which("perf"):
        return False
    done = subprocess.run([*counter(), "true"], capture_output=True, text=True, check=False)
    return done.returncode == 0 and len(counted(done.stderr)) == len(EVENTS)


def counter(output=None):
    """Words that stand before the command to count; the answer goes to the file `output`, else to
    stderr."""
    where = ["--output", str(output)] if output else []
    return ["perf", "stat", "--field-separator", ",", "--event", ",".join(EVENTS), *where, "--"]


def counted(text):
    """{metric: misses} from what perf stat wrote; without those that it could not count."""
    values = {}
    for line in text.splitlines():
        fields = line.split(",")
        name = fields[2].split(":")[0] if len(fields) > 2 else ""
        if name in EVENTS and fields[0].isdigit():
            values[EVENTS[name]] = float(fields[0])
    return values


def simulator(metric, output):
    """Words that stand before the command to simulate; cachegrind's file is `output`."""
    if not shutil.which("valgrind"):
        raise RunFailed("there is no valgrind (apt-get install valgrind)")
    options = ["--tool=cachegrind", "--cache-sim=yes", _INSTRUCTIONS, _SHARED]
    options += ["--quiet", "--fair-sched=try", "--run-libc-freeres=no"]
    return ["valgrind", *options, *SIMULATIONS[metric][0], f"--cachegrind-out-file={output}"]


def simulated(metric, text):
    """Misses from cachegrind's file."""
    events = re.search(r"^events: (.*)$", text, re.M)
    summary = re.search(r"^summary: (.*)$", text, re.M)
    if not events or not summary:
        raise RunFailed("cachegrind wrote no summary")
    values = dict(zip(events[1].split(), map(int, summary[1].split()), strict=False))
    return float(sum(values[name] for name in SIMULATIONS[metric][1]))
