"""What can be said of a program without running it, and of this machine: `mmt facts` tells it."""

import dataclasses
import json
import subprocess

from ..command.failure import FAILED, NOT_EXECUTABLE, NOT_FOUND, Failure

SCHEMA = 1


@dataclasses.dataclass(frozen=True)
class Obstacle:
    kind: str  # privilege, machine, static, linker, sanitizer, own_allocator
    reason: str  # goes on after "it cannot be loaded: "


@dataclasses.dataclass(frozen=True)
class Facts:
    path: str
    interpreter: str | None  # of a script
    obstacle: Obstacle | None
    own_new: bool  # it defines operator new
    bundled: tuple[str, ...]  # allocators inside of it under names of their own
    cpus: int
    quota: float | None  # CPUs
    fault_ns: float
    timer: str | None  # path of the library that times calls, where there is one
    modes: dict  # mode -> {variable: value} that `mmt run` would set
    server: bool = True  # the native heap may have a memory thread, by its options


def ask(binary, program):
    """Facts of what execvp(program) would start. A Failure when there is none."""
    done = subprocess.run(
        [str(binary), "facts", "--", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        as_run = (NOT_EXECUTABLE, NOT_FOUND)
        status = done.returncode if done.returncode in as_run else FAILED
        raise Failure(done.stderr.strip().removeprefix("mmt: "), status)
    return parse(json.loads(done.stdout))


def parse(told):
    if told["schema"] != SCHEMA:
        raise Failure("'mmt facts' is of another version than the laboratory")
    names = [one.name for one in dataclasses.fields(Facts)]
    values = {name: told[name] for name in names}
    values["bundled"] = tuple(told["bundled"])
    values["obstacle"] = Obstacle(**told["obstacle"]) if told["obstacle"] else None
    return Facts(**values)
