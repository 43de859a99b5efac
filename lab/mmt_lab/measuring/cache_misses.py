"""Misses of the last-level cache and of the data TLB, and branches that were mispredicted. The
hardware counts them where perf can, which in many virtual machines it cannot; else cachegrind
simulates them.

The simulated caches are those of the MMT paper's machine, whose cores share 4 MiB. cachegrind knows
no TLB. For that number its first-level data cache is given lines of a page each, which makes it one
(256 entries, four ways). Its branches are predicted by tables of 16 Ki entries for conditional and
512 for indirect ones, those of processors of about 2004. It runs one thread at a time, through the
same caches: what threads on cores of their own save each other is not seen.
"""

import dataclasses
import functools
import re
import shutil
import subprocess

from .launcher import RunFailed

EVENTS = {
    "LLC-load-misses": "llc_misses",
    "dTLB-load-misses": "tlb_misses",
    "branch-misses": "branch_misses",
}
_INSTRUCTIONS = "--I1=32768,8,64"
_SHARED = "--LL=4194304,16,64"


@dataclasses.dataclass(frozen=True)
class Simulation:
    options: tuple[str, ...]
    metrics: dict[str, tuple[str, ...]]  # {metric: the events that it is the sum of}


SIMULATIONS = (
    Simulation(
        ("--D1=32768,8,64", "--branch-sim=yes"),
        {"llc_misses": ("DLmr", "DLmw"), "branch_misses": ("Bcm", "Bim")},
    ),
    Simulation(("--D1=1048576,4,4096",), {"tlb_misses": ("D1mr", "D1mw")}),
)
# The caches of the STM paper's machine, two of whose cores share 6 MiB.
CACHES = Simulation(
    ("--D1=32768,8,64", "--LL=6291456,24,64"),
    {
        "references": ("Dr", "Dw"),
        "l1_misses": ("D1mr", "D1mw"),
        "llc_misses": ("DLmr", "DLmw"),
    },
)


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


def simulator(simulation, output):
    """Words that stand before the command to simulate; cachegrind's file is `output`."""
    if not shutil.which("valgrind"):
        raise RunFailed("there is no valgrind (apt-get install valgrind)")
    options = ["--tool=cachegrind", "--cache-sim=yes", _INSTRUCTIONS, _SHARED]
    options += ["--quiet", "--fair-sched=try", "--run-libc-freeres=no"]
    return ["valgrind", *options, *simulation.options, f"--cachegrind-out-file={output}"]


def simulated(simulation, text):
    """{metric: misses} from cachegrind's file."""
    events = re.search(r"^events: (.*)$", text, re.M)
    summary = re.search(r"^summary: (.*)$", text, re.M)
    if not events or not summary:
        raise RunFailed("cachegrind wrote no summary")
    values = dict(zip(events[1].split(), map(int, summary[1].split()), strict=False))
    missing = [name for one in simulation.metrics.values() for name in one if name not in values]
    if missing:
        raise RunFailed(f"cachegrind counted no {missing[0]}")
    return {
        metric: float(sum(values[name] for name in names))
        for metric, names in simulation.metrics.items()
    }
