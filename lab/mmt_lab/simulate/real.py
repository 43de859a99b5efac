"""Real allocators on the same trace: each replays it in a process of its own, one at a time."""

import json
import os
import pathlib
import subprocess
import tempfile

from ..measuring import contenders
from ..command.failure import Failure
from ..machine.installation import MODELS, REAL
from ..measuring.launcher import clean_environment


def contenders_of(names, installation):
    """[Contender]; a Failure where one is not there."""
    return contenders.choose(names, installation) if names else []


def replay(chosen, found, options, installation, bar):
    """[dict], one a trace and allocator."""
    program = installation.own_program(REAL)
    results = []
    with tempfile.TemporaryDirectory(prefix="mmt-simulate-") as folder:
        for at, trace in enumerate(found):
            flat = pathlib.Path(folder) / "trace"
            _write_flat(trace, flat, options, installation)
            for number, one in enumerate(chosen):
                share = (at + number / len(chosen)) / len(found)
                bar.show(f"{one.name} replays {trace.name}", share)
                results.append(_run(program, one, trace, flat))
            flat.unlink()
    return results


def _write_flat(trace, flat, options, installation):
    words = [str(installation.own_program(MODELS)), trace.path, "--flat", str(flat)]
    if options.first:
        words += ["--first", str(options.first)]
    if options.events:
        words += ["--events", str(options.events)]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise Failure(done.stderr.strip().removeprefix("mmt: "))


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
        said = done.stderr.strip().splitlines()
        why = said[-1] if said else f"ended with {done.returncode}"
        raise Failure(f"{contender.name} cannot replay '{trace.path}': {why}")
    return {"trace": trace.name, "allocator": contender.name} | json.loads(done.stdout)
