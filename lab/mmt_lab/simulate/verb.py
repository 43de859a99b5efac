"""`mmt simulate`: replays, puts the result together, and hands it to reporters."""

import os
import sys

from ..command import memory_bound, requirements
from ..command.failure import FAILED, USAGE, Failure, raise_on_signals, tell
from ..machine.installation import MODELS, Installation
from ..text.output_file import OutputFile, refuse_inputs
from ..command.progress import ProgressBar
from ..command.standard_output import lost
from . import describing, planning, real, result, traces
from .cluster import Cluster
from .local import Local
from .options import REPORTS, TWELVE, simulate_parser


def main(arguments):
    """The exit status: 0, 1 when a trace could not be replayed whole, a model broke, or a report could
    not be written."""
    options = simulate_parser().parse(arguments)
    installation = Installation.from_environment()
    if [getattr(options, one) for one in REPORTS].count("-") > 1:
        raise Failure("only one report can go to standard output", USAGE)
    if options.parquet:
        requirements.check("pyarrow")
    if options.html:
        requirements.check("plotly")
    memory = memory_bound.of(options)
    with memory_bound.bounded(memory):
        found, faults = traces.find(options.traces)
    refuse_inputs([getattr(options, one) for one in REPORTS], [*options.traces, *(one.path for one in found)])
    names = options.allocator if options.allocator is not None else TWELVE
    simulator = installation.own_program(MODELS)
    models = describing.models(simulator, names)
    lengths, unreadable = describing.lengths(simulator, found, memory)
    found = [one for one in found if one.name in lengths]
    contenders = real.contenders_of(options.real, installation)
    outputs = {one: OutputFile(path) for one in REPORTS if (path := getattr(options, one))}
    raise_on_signals()
    jobs = options.jobs or os.cpu_count() or 1
    if options.scheduler:
        runner = Cluster(options.scheduler, str(simulator), options.memory or 0)
    else:
        runner = Local(str(simulator), jobs, memory)
    with ProgressBar(options.quiet) as bar:
        simulation = _simulate(options, found, lengths, models, runner, jobs, bar)
        if contenders:
            readable = [one for one in found if simulation.has_results_of(one.name)]
            simulation.real, broken = real.replay(contenders, readable, options, installation, bar)
            simulation.problems += broken
            result.tell_failures(simulation, simulation.real)
    simulation.problems[:0] = [result.Problem(path, (), text) for path, text in faults + unreadable]
    simulation.command = command_line(options)
    return _publish(simulation, options, outputs)


def _simulate(options, found, lengths, models, runner, jobs, bar):
    plan = planning.Plan(options, found, lengths, models, jobs)
    if options.check:
        outcomes = runner.run(plan.checks(), lambda share, left: bar.show("checking", share, left))
        return result.of_checks(found, models, outcomes)
    outcomes = runner.run(plan.replays(), lambda share, left: bar.show("replaying", share, left))
    simulation = result.of_replays(found, lengths, models, outcomes)
    if options.html:
        trees = plan.trees(simulation)
        seen = runner.run(trees, lambda share, left: bar.show("looking at trees", share, left))
        result.add_trees(simulation, seen)
    return simulation


def command_line(options):
    """The words that repeat it."""
    words = ["mmt", "simulate", *options.traces]
    for name in ("allocator", "real"):
        if given := getattr(options, name):
            words += [f"--{name}", ",".join(given)]
    for name in ("first", "events"):
        if given := getattr(options, name):
            words += [f"--{name}", str(given)]
    for name in ("touches", "no_bounds", "check"):
        if getattr(options, name):
            words.append(f"--{name.replace('_', '-')}")
    return tuple(words)


def _publish(simulation, options, outputs):
    from ..reporters import simulation_console, simulation_files

    status = FAILED if simulation.problems else 0
    stream = sys.stderr if "-" in [getattr(options, one) for one in REPORTS] else sys.stdout
    for one in simulation.problems:
        tell(one.text)
    try:
        simulation_console.show(simulation, stream)
        stream.flush()
    except OSError as error:
        if stream is sys.stdout:
            status = lost(error)
    for name, output in outputs.items():
        try:
            output.write(getattr(simulation_files, f"render_{name}")(simulation))
        except Failure as failure:
            tell(failure)
            status = FAILED
    return status
