"""Where a program's CPU time goes. perf takes samples of the CPU clock, which are sorted by thread
and by the file that the code is in. Needs no counters of the hardware.

    sampled    all of the program's CPU time, the kernel's included (s)
    allocator  in the allocator's and the protocol's library, of all threads (s)
    own        of the first thread, outside of kernel and these libraries: its computation (s)
    libc       the part of own that is in the C library: pthread's locks are there (s)
    library    of the first thread, in the allocator's library (s)
    protocol   of the first thread, in the protocol's library: its waits, locks and queues (s)
    kernel     of the first thread, in the kernel (s)
"""

import enum
import os
import pathlib
import re
import shutil
import subprocess

from .launcher import RunFailed

PERIOD_NS = 200_000


class Part(enum.Enum):
    """What a file of code is part of."""

    PROGRAM = "own"
    LIBC = "libc"
    LIBRARY = "library"
    PROTOCOL = "protocol"
    KERNEL = "kernel"


METRICS = ("sampled", "allocator", *(one.value for one in Part))
_PARANOID = pathlib.Path("/proc/sys/kernel/perf_event_paranoid")
_LINE = re.compile(r"^\s*(?P<command>.+?)\s+(?P<process>\d+)/(?P<thread>\d+)\s+[0-9a-f]+ \((?P<file>.*)\)$")
_KERNEL = ("[kernel", "[guest.kernel", "[unknown]")


def recorder(data):
    """Words that stand before the command to record; `data` is the file of the samples."""
    if not shutil.which("perf"):
        raise RunFailed("there is no perf (apt-get install linux-perf)")
    if os.geteuid() != 0 and int(_PARANOID.read_text(encoding="utf-8")) > 1:
        raise RunFailed("perf may not see the kernel (sysctl kernel.perf_event_paranoid=1)")
    # What listens for BPF programs lets perf end only a second after the program.
    options = ["--quiet", "--no-buildid", "--no-buildid-cache", "--no-bpf-event"]
    options += ["--event", "cpu-clock"]
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


def sort(lines, part_of):
    """{metric: seconds} of what `read` gave. `part_of(path)` tells the Part of a file on disk.
    Samples of `env`, which puts the program into its environment, are left out."""
    counts = dict.fromkeys(METRICS, 0)
    for line in lines:
        found = _LINE.match(line)
        if not found or found["command"] in ("env", "perf", "perf-exec"):
            continue
        counts["sampled"] += 1
        part = Part.KERNEL if found["file"].startswith(_KERNEL) else part_of(found["file"])
        if part in (Part.LIBRARY, Part.PROTOCOL):
            counts["allocator"] += 1
        if found["process"] == found["thread"]:
            counts[part.value] += 1
    if not counts["sampled"]:
        raise RunFailed("perf took no sample of it")
    counts["own"] += counts["libc"]
    return {name: count * PERIOD_NS * 1e-9 for name, count in counts.items()}


def sorter(library, protocol):
    """part_of() for `sort`; the paths of both libraries, empty where there is none."""
    parts = {os.path.realpath(protocol): Part.PROTOCOL, os.path.realpath(library): Part.LIBRARY}

    def part_of(path):
        if os.path.basename(path).startswith("libc.so"):
            return Part.LIBC
        return parts.get(os.path.realpath(path), Part.PROGRAM)

    return part_of
