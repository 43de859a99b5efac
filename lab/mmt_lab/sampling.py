"""Where a program's CPU time goes: samples of the CPU clock, taken by perf, sorted by thread and by
the file that the code is in. Needs no counters of the hardware.

    sampled    all of the program's CPU time, the kernel's included (s)
    allocator  in the allocator's libraries, of all threads (s)
    own        of the first thread, outside of kernel and allocator: the program's computation (s)
"""

import os
import pathlib
import re
import shutil
import subprocess

from .launcher import RunFailed

PERIOD_NS = 200_000
_PARANOID = pathlib.Path("/proc/sys/kernel/perf_event_paranoid")
_LINE = re.compile(r"^\s*(?P<command>.+?)\s+(?P<process>\d+)/(?P<thread>\d+)\s+[0-9a-f]+ \((?P<file>.*)\)$")
_KERNEL = ("[kernel", "[guest.kernel", "[unknown]")


def recorder(data):
    """Words that stand before the command to record; `data` is the file of the samples."""
    if not shutil.which("perf"):
        raise RunFailed("there is no perf (apt-get install linux-perf)")
    if os.geteuid() != 0 and int(_PARANOID.read_text(encoding="utf-8")) > 1:
        raise RunFailed("perf may not see the kernel (sysctl kernel.perf_event_paranoid=1)")
    options = ["--quiet", "--no-buildid", "--no-buildid-cache", "--event", "cpu-clock"]
    return ["perf", "record", *options, "--count", str(PERIOD_NS), "--output", str(data), "--"]


def read(data):
    """The lines that perf has for the samples."""
    done = subprocess.run(
        ["perf", "script", "--input", str(data), "--fields", "comm,pid,tid,ip,dso"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise RunFailed(f"perf script: {done.stderr.strip().splitlines()[-1:] or 'failed'}")
    return done.stdout.splitlines()


def sort(lines, is_allocator):
    """{metric: seconds} of what `read` gave. `is_allocator(path)` tells the allocator's files.
    Samples of `env`, which puts the program into its environment, are left out."""
    counts = dict.fromkeys(("sampled", "allocator", "own"), 0)
    for line in lines:
        found = _LINE.match(line)
        if not found or found["command"] in ("env", "perf", "perf-exec"):
            continue
        counts["sampled"] += 1
        if found["file"].startswith(_KERNEL):
            continue
        if is_allocator(found["file"]):
            counts["allocator"] += 1
        elif found["process"] == found["thread"]:
            counts["own"] += 1
    if not counts["sampled"]:
        raise RunFailed("perf took no sample of it")
    return {name: count * PERIOD_NS * 1e-9 for name, count in counts.items()}
