"""A bench from its choices to its result: every program under every allocator, round by round."""

import os
import sys
import tempfile

from ..measuring import contenders
from ..machine import machine, versions
from ..peers import folder as peers_folder
from ..results.bench_result import Missing
from ..study.experiment import Inputs, Kind, Run
from ..command.failure import FAILED, NOT_EXECUTABLE, NOT_FOUND, Failure, Interrupted
from ..measuring.launcher import Launcher, RunFailed
from ..text.output_file import OutputFile, refuse_inputs
from ..command.progress import ProgressBar
from ..measuring.proof import Proofs
from ..measuring.runs import LATENCY_LIBRARY, AsReported, Bench, Manners
from ..measuring.session import Session, Settings
from . import tell
from .publishing import REPORTS, publish, takes_standard_output


class NoJournal:
    """A bench is not resumed."""

    records = ()

    def append(self, *_):
        pass

    def remark(self, _):
        pass


def run(options, programs, command, installation):
    """The exit status."""
    read = [*options.suite, *(one.input for one in programs)]
    refuse_inputs([getattr(options, one) for one in REPORTS], read)
    today = peers_folder.provide(options.peers_folder) if options.peers == "today" else None
    chosen = contenders.choose(contenders.specs(options), installation, today)
    present = [one for one in chosen if not one.missing]
    if options.latency and not installation.library(LATENCY_LIBRARY).exists():
        path = installation.library(LATENCY_LIBRARY)
        raise Failure(f"there is no library '{path}'{installation.remedy_for(path)}")
    # Opened now: a report that cannot be written is better known before the measurement.
    outputs = {one: OutputFile(path) for one in REPORTS if (path := getattr(options, one))}
    with _temporary_folder() as scratch:
        launcher = Launcher(installation.binary, scratch, options.timeout, contenders.environment())
        runnable, left_out, floor = _look(programs, launcher, installation)
        proofs = Proofs(installation, launcher, trusts_static=True)
        for one in present:
            _prove(proofs, one)
        units = AsReported()
        bench = Bench(
            installation, launcher, proofs, Inputs.DEFAULT, units, _manners(options)
        )
        outcome = _measure(bench, runnable, present, options)
    if outcome.interrupted and not outcome.rounds:
        raise Interrupted(outcome.interrupted - 128)
    result = tell.bench_result(
        command=command,
        machine=machine.examine(installation),
        seed=options.seed,
        rounds=outcome.rounds,
        rss_floor=floor,
        allocators=tuple(
            tell.allocator_result(one, proofs, versions.of(one, proofs)) for one in present
        ),
        missing_allocators=tuple(Missing(one.name, one.missing) for one in chosen if one.missing),
        missing_programs=tuple(left_out),
        programs=tuple(tell.program_result(one, present, outcome, units.of) for one in runnable),
        remarks=tuple(outcome.remarks),
    )
    return publish(result, options, outputs, outcome.interrupted)


def _temporary_folder():
    folder = os.environ.get("TMPDIR") or None
    if folder and not os.path.isdir(folder):
        raise Failure(f"cannot make a folder in '{folder}': No such file or directory")
    return tempfile.TemporaryDirectory(prefix="mmt-bench-", dir=folder)


def _look(programs, launcher, installation):
    """(programs that can be compared, [Missing] of the others, the smallest peak RSS to be seen)"""
    runnable, left_out, floor = [], [], 0.0
    for one in programs:
        try:
            seen = launcher.look(one.command[0])
        except RunFailed as failure:
            remedy = installation.remedy(one.command[0], one.package)
            if len(programs) == 1 and not remedy:
                raise Failure(str(failure), _status_of(failure)) from None
            left_out.append(Missing(one.name, remedy or str(failure)))
            continue
        floor = seen["rss_floor"]
        if seen["own_malloc"]:
            why = f"'{one.command[0]}' brings an allocator of its own, which goes before any library"
            left_out.append(Missing(one.name, why))
        else:
            runnable.append(one)
    if not runnable:
        names = ", ".join(f"{one.name} ({one.remedy})" for one in left_out)
        raise Failure(f"no program can be run: {names}")
    return runnable, left_out, floor


def _status_of(failure):
    """As `mmt run` ends with it."""
    return failure.status if failure.status in (NOT_FOUND, NOT_EXECUTABLE) else FAILED


def _prove(proofs, contender):
    """A Failure when the allocator does not take over."""
    try:
        proofs.of_allocator(contender.allocator)
    except RunFailed as failure:
        text = str(failure)
        if "does not take over" not in text:
            text = f"'{contender.name}' does not take over: {text}"
        raise Failure(f"the allocator {text}") from None


def _manners(options):
    shown = None
    if options.show_output:
        out = sys.stderr if takes_standard_output(options) else sys.stdout
        shown = (os.dup(out.fileno()), os.dup(sys.stderr.fileno()))
    return Manners(options.ignore_failure, options.prepare, shown)


def _measure(bench, programs, present, options):
    kinds = (Kind.TIMED, Kind.CALLS) if options.latency else (Kind.TIMED,)
    runs = [
        Run(kind, program, one.allocator)
        for program in programs
        for one in present
        for kind in kinds
    ]
    settings = Settings(
        seed=options.seed,
        rounds=max(one.rounds for one in programs),
        budget=options.budget and options.budget / 60,
        time_limit=options.timeout,
        inputs=Inputs.DEFAULT,
        only=(),
        warm_ups=options.warmup,
        least=1,
        remarks_on_time=False,
    )
    with ProgressBar(options.quiet) as progress:
        return Session(runs, bench, NoJournal(), settings, progress).run()
