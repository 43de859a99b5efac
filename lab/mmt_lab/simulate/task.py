"""What one process replays. This module needs Python's own library alone, and is sent to the workers
of a cluster as it is."""

import dataclasses
import json
import os
import shutil
import subprocess


@dataclasses.dataclass(frozen=True)
class Task:
    trace: str
    allocators: tuple = ()
    flags: tuple = ()
    weight: int = 1  # events that it replays, of all its models together

    def words(self):
        named = [word for one in self.allocators for word in ("--allocator", one)]
        return ["replay-trace", self.trace, *named, *self.flags]


@dataclasses.dataclass
class Outcome:
    found: list  # objects that `mmt replay-trace` printed
    problem: str = ""  # what it said when it failed


def run(task, binary, progress=None, started=None):
    """An Outcome. `progress(events)` is told how far it is, `started(process)` what to end when there
    is no more interest."""
    words = [binary, *task.words(), *(("--progress",) if progress else ())]
    process = subprocess.Popen(
        words, text=True, errors="replace", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    if started:
        started(process)
    found = []
    with process:
        for line in process.stdout:
            one = json.loads(line)
            if "progress" in one:
                progress(one["progress"])
            else:
                found.append(one)
        said = process.stderr.read()
    if process.returncode == 0:
        return Outcome(found)
    problem = said.strip().removeprefix("mmt: ") or f"ended with {process.returncode}"
    return Outcome(found, problem)


def run_on_worker(task, binary):
    """The same on another machine, which has `mmt` at the same place or in its PATH."""
    if not os.access(binary, os.X_OK):
        binary = shutil.which("mmt")
    host = os.uname().nodename
    if not binary:
        return Outcome([], f"worker {host} has no mmt")
    if not os.path.exists(task.trace):
        return Outcome([], f"worker {host} sees no file '{task.trace}'")
    return run(task, binary)
