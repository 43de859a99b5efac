"""A program of a study or a bench run once: what it is given, and what it reports itself."""

import dataclasses
import math
import shutil
import subprocess

from ..machine import memory
from ..machine.cpu_list import parse_cpu_list
from ..study.experiment import Inputs, Kind, Program
from ..machine.installation import Installation
from .launcher import Launcher, RunFailed
from .proof import Proofs

MEASURED = {
    "wall": "s",
    "cpu": "s",
    "peak_rss": "bytes",
    "minor_faults": "count",
    "major_faults": "count",
}
LATENCY_LIBRARY = "libmmt-latency.so"
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


class InSeconds:
    """Metrics as studies take them: reported.KEY, times in seconds."""

    def taken(self, key, value, unit):
        return {f"reported.{key}": value * _SECONDS.get(unit, 1.0)}


class AsReported:
    """Metrics as a bench takes them: by the program's own names, in its units, which are noted."""

    def __init__(self):
        self.of = dict(MEASURED)

    def taken(self, key, value, unit):
        self.of[key] = unit
        return {key: value}


@dataclasses.dataclass(frozen=True)
class Manners:
    """How programs are treated besides."""

    any_status: bool = False  # one that is not 0 is no failure
    prepare: str = ""  # a shell's command, before every run
    # Descriptors for standard output and error, where they are shown.
    shown: tuple[int, int] | None = None


@dataclasses.dataclass
class Bench:
    """What instruments work with."""

    installation: Installation
    launcher: Launcher
    proofs: Proofs
    inputs: Inputs
    units: InSeconds | AsReported = dataclasses.field(default_factory=InSeconds)
    manners: Manners = Manners()
    outputs: dict = dataclasses.field(default_factory=dict)  # program -> its first output

    def command(self, program: Program):
        """The command line, with the file to execute in front. RunFailed when it is not there, or
        needs more memory than there is."""
        if self.inputs is Inputs.PAPER:
            memory.require(program.paper_bytes)
        words = self.installation.command(program, self.inputs)
        path = shutil.which(words[0])
        if path is None:
            remedy = self.installation.remedy(words[0], program.package)
            raise RunFailed(f"there is no program '{words[0]}'" + (f" ({remedy})" if remedy else ""))
        return [path, *words[1:]]


def warm_up(bench, run):
    """An uncounted run that is watched: it must prove its allocator, and write what it writes under
    any other. The seconds it took."""
    bench.proofs.of_allocator(run.allocator)
    output = bench.launcher.folder / "output"
    more = {"output": str(output)} if run.program.same_output else {}
    report = bench.launcher.folder / "report"
    report.unlink(missing_ok=True)
    answer = run_once(bench, run, {"MMT_BENCH_REPORT": str(report)}, observe=True, **more)
    bench.proofs.of_run(run.allocator, answer)
    if report.exists():
        list(reported(report.read_text(encoding="utf-8", errors="replace")))
    if run.program.same_output:
        content = output.read_bytes()
        if bench.outputs.setdefault(run.program, content) != content:
            raise RunFailed("its output differs from the first one")
    return answer["wall"]


def run_once(bench, run, variables, **order):
    """The answer of `mmt measure`. `order`: what its order says besides."""
    program, manners = run.program, bench.manners
    work = bench.launcher.folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    if manners.prepare:
        _prepare(manners.prepare)
    environment = dict(variables)
    environment |= {name: _filled(value, work) for name, value in program.environment}
    environment |= bench.proofs.environment(run.allocator)
    if run.kind is Kind.CALLS and "calls" in order:
        before = str(bench.installation.library(LATENCY_LIBRARY))
        others = environment.get("LD_PRELOAD")
        environment["LD_PRELOAD"] = f"{before}:{others}" if others else before
    more = {"input": program.input, "cpus": parse_cpu_list(program.pin)}
    if manners.shown and "output" not in order:
        more |= {"output": manners.shown[0], "errors": manners.shown[1]}
    command = [_filled(word, work) for word in bench.command(program)]
    return bench.launcher.run(
        command, environment, any_status=manners.any_status, **more | order
    )


def _filled(word, work):
    return word.replace("{tmp}", str(work))


def _prepare(command):
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines()
        why = f": {said[-1]}" if said else ""
        how = "exit status" if done.returncode > 0 else "ended by signal"
        raise RunFailed(f"--prepare: {how} {abs(done.returncode)}{why}")


def reported(text):
    """[(key, value, unit)] of lines "key value unit"; RunFailed names one that is something else."""
    values = {}
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            key, number, unit = line.split()
            value = float(number)
        except ValueError:
            raise RunFailed(f"it reported '{line}', which is not 'key value unit'") from None
        if not math.isfinite(value):
            raise RunFailed(f"it reported '{line}', which is no number to work with")
        values[key] = (key, value, unit)  # a later line of the same key wins
    return list(values.values())
