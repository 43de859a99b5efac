"""What the simulator knows of models and traces before anything is replayed."""

import dataclasses
import json
import subprocess

from ..command.failure import FAILED, USAGE, Failure


@dataclasses.dataclass(frozen=True)
class ModelName:
    name: str  # the same for all ways to say it
    factors: dict  # what it is made of

    def __hash__(self):
        return hash(self.name)


def _ask(program, *words):
    done = subprocess.run(
        [str(program), "--describe", *words],
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    if done.returncode:
        status = USAGE if done.returncode == USAGE else FAILED
        raise Failure(done.stderr.strip().removeprefix("mmt: "), status)
    return json.loads(done.stdout)


def models(program, names):
    """[ModelName], each once. A Failure says what is wrong with a name."""
    told = _ask(program, *(word for one in names for word in ("--allocator", one)))
    by_name = {one["name"]: ModelName(one["name"], one["factors"]) for one in told["allocators"]}
    return list(by_name.values())


def lengths(program, found, memory=0):
    """({name of a trace: its events, None where only reading it would tell}, [(path, what is wrong)] of
    those that cannot be read). A Failure where none can."""
    told, faults = {}, []
    for one in found:
        try:
            bound = ("--memory", str(memory)) if memory else ()
            told[one.name] = _ask(program, one.path, *bound)["events"]
        except Failure as failure:
            faults.append((one.path, str(failure)))
    if not told:
        raise Failure("; ".join(text for _, text in faults))
    return told, faults
