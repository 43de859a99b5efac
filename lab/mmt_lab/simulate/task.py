"""What one process replays. This module needs Python's own library alone, and is sent to the workers
of a cluster as it is."""

import dataclasses
import json
import os
import shutil
import subprocess

LACKS_MEMORY = "that --memory gives"  # how the line ends


@dataclasses.dataclass(frozen=True)
class Task:
    trace: str
    allocators: tuple = ()
    flags: tuple = ()
    weight: int = 1  # events that it replays, of all its models together

    def words(self):
        named = [word for one in self.allocators for word in ("--allocator", one)]
        return [self.trace, *named, *self.flags]


@dataclasses.dataclass
class Outcome:
    found: list  # objects that `mmt-replay-models` printed
    problem: str = ""  # what it said when it failed

    @property
    def lacks_memory(self):
        return self.problem.endswith(LACKS_MEMORY)


def run(task, program, progress=None, started=None, memory=0):
    """An Outcome. `progress(events)` is told how far it is, `started(process)` what to end when there
    is no more interest. `memory`: bytes that it may take; 0: half of what it finds free."""
    words = [program, *task.words(), *(("--progress",) if progress else ())]
    words += ["--memory", str(memory)] if memory else []
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
    ended = f"trace '{task.trace}': the simulator ended with {process.returncode}"
    problem = said.strip().removeprefix("mmt: ") or ended
    return Outcome(found, problem)


def run_on_worker(task, program, memory=0):
    """The same on another machine, which has it at the same place, or `mmt` in its PATH."""
    if not os.access(program, os.X_OK):
        program = _program_of(shutil.which("mmt"), os.path.basename(program))
    host = os.uname().nodename
    if not program:
        return Outcome([], f"worker {host} has no mmt")
    if not os.path.exists(task.trace):
        return Outcome([], f"worker {host} sees no file '{task.trace}'")
    return run(task, program, memory=memory)


def _program_of(binary, name):
    """What lies beside `mmt` where it was built, and in libexec where it is installed; or None."""
    if not binary:
        return None
    folder = os.path.dirname(os.path.realpath(binary))
    places = (os.path.join(folder, name), os.path.join(folder, "..", "libexec", "mmt", name))
    return next((one for one in places if os.access(one, os.X_OK)), None)
