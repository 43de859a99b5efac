"""Real allocators on the same trace: each replays it in a process of its own, one at a time."""

import json
import pathlib
import signal
import subprocess
import tempfile

from ..command import memory_bound
from ..measuring import contenders
from ..command.failure import Failure
from ..machine.installation import MODELS, REAL
from ..measuring.launcher import clean_environment
from .result import Problem


def contenders_of(names, installation):
    """[Contender]; a Failure where one is not there."""
    return contenders.choose(names, installation) if names else []


def replay(chosen, found, options, installation, bar):
    """([dict], [Problem]): one or the other of each trace and allocator. What fails stops no other."""
    program = installation.own_program(REAL)
    results, problems = [], []

    def told(trace, names, failure):
        text = f"{', '.join(names)} cannot replay '{trace.path}': {failure}"
        problems.append(Problem(trace.name, names, text))

    for at, trace in enumerate(found):
        try:
            with tempfile.TemporaryDirectory(prefix="mmt-simulate-") as folder:
                flat = pathlib.Path(folder) / "trace"
                _write_flat(trace, flat, options, installation)
                for number, one in enumerate(chosen):
                    share = (at + number / len(chosen)) / len(found)
                    bar.show(f"{one.name} replays {trace.name}", share)
                    try:
                        results.append(_run(program, one, trace, flat))
                    except Failure as failure:
                        told(trace, (one.name,), failure)
        except (Failure, OSError) as failure:  # of all, before the first began
            told(trace, tuple(one.name for one in chosen), failure)
    return results, problems


def _write_flat(trace, flat, options, installation):
    words = [str(installation.own_program(MODELS)), trace.path, "--flat", str(flat)]
    if options.first:
        words += ["--first", str(options.first)]
    if options.events:
        words += ["--events", str(options.events)]
    if memory := memory_bound.of(options):
        words += ["--memory", str(memory)]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise Failure(_why(done).removeprefix("mmt: "))


def _run(program, contender, trace, flat):
    allocator = contender.allocator
    environment = clean_environment() | dict(allocator.environment)
    if allocator.libraries:
        environment["LD_PRELOAD"] = ":".join(allocator.libraries)
    with open(flat, "rb") as stream:
        done = subprocess.run(
            [str(program)], stdin=stream, capture_output=True, text=True, errors="replace",
            env=environment, check=False,
        )  # fmt: skip
    if done.returncode:
        raise Failure(_why(done))
    try:
        told = json.loads(done.stdout)
    except ValueError:
        raise Failure("its output is not the replay's alone") from None
    return {"trace": trace.name, "allocator": contender.name} | told


def _why(done):
    """What a process that failed said last; else how it ended."""
    if said := done.stderr.strip().splitlines():
        return said[-1]
    if done.returncode < 0:
        return f"ended by {signal.Signals(-done.returncode).name}"
    return f"ended with {done.returncode}"
