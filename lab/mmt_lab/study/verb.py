"""`mmt study`: chooses what to run, runs it, and hands the result to every reporter."""

import os
import pathlib
import tempfile

from . import durations, oracles, shortened
from ..measuring import journal
from ..command import memory_bound, requirements
from ..command.command_line import study_parser
from ..command.did_you_mean import did_you_mean
from .experiment import Inputs
from ..command.failure import FAILED, USAGE, Failure, raise_on_signals, tell
from ..command.standard_output import say
from ..measuring.schedule import LEAST_ROUNDS, WANTED_ROUNDS
from ..text import text_table

SHORT = (
    "short: what verdicts rest on alone, in few rounds and some runs shorter; intervals are wider, and more "
    "stays undecided"
)
PAPER_INPUTS = (
    "the paper's inputs, where it names them, also where a row says 'short' or a note says otherwise; "
    "simulations and controlled experiments keep theirs"
)


def main(arguments):
    """The exit status: 0, 1 when something could not be run or measured, 128 and its number after
    a signal."""
    options = study_parser().parse(arguments)
    requirements.check()
    from .. import studies  # only now: it needs the packages

    if options.name is None:
        _refuse_without_name(options, studies.ALL)
        _list_studies(studies.ALL, options)
        return 0
    study = _named(studies.ALL, options.name)
    chosen = _shortened(_chosen(study, options.only), options)
    if options.oracles:
        _refuse_beside_oracles(options)
        return oracles.run(study, options.budget)
    _take_full(study, options)
    _take_short(options)
    if options.list:
        _list_experiments(study, chosen if options.only else _shortened(study.experiments, options), options)
        return 0
    if options.traces:
        return _make_traces(study, chosen, options)
    return _run(study, chosen, options)


def _refuse_without_name(options, all_studies):
    """What is for one study, and would be passed over in a list of all."""
    for name in ("only", "budget", "output", "traces", "oracles", "full", "fresh"):
        if getattr(options, name):
            known = ", ".join(one.name for one in all_studies)
            raise Failure(f"--{name}: of which study? There are {known}", USAGE)


def _take_full(study, options):
    """`--full` is the paper's inputs, and as many rounds as it has."""
    options.asked_rounds = options.rounds
    options.rounds = options.rounds or (study.full_rounds if options.full else study.rounds)
    if not options.full:
        return
    if study.full_rounds is None:
        raise Failure(f"--full: {study.name} has no such numbers; --paper-inputs may do", USAGE)
    options.paper_inputs = True


def _shortened(experiments, options):
    return shortened.shortened(experiments) if options.short else experiments


def _take_short(options):
    """Five rounds; with a budget as many as fit. A study that takes longer than an hour is refused
    before it begins, and its simulations end with that."""
    if not options.short:
        return
    options.rounds = options.asked_rounds or (None if options.budget else shortened.ROUNDS)
    options.budget = options.budget or shortened.MINUTES


def _refuse_beside_oracles(options):
    """What would be passed over."""
    for name in ("only", "list", "traces"):
        if getattr(options, name):
            raise Failure(f"--oracles: always all of them, so not with --{name}", USAGE)
    for name in ("rounds", "small", "short", "paper_inputs", "full"):
        if getattr(options, name):
            flag = name.replace("_", "-")
            raise Failure(f"--oracles: once, on inputs of their own, so not with --{flag}", USAGE)
    for name in ("output", "fresh"):
        if getattr(options, name):
            raise Failure(f"--oracles: they leave no files, so not with --{name}", USAGE)


def _list_studies(all_studies, options):
    _show(
        [
            (one.name, _runs(_shortened(_chosen(one, ()), options)), one.title, _rounds(options, one))
            for one in all_studies
        ],
        options,
    )


def _rounds(options, study):
    return options.rounds or (shortened.ROUNDS if options.short else study.rounds or WANTED_ROUNDS)


def _list_experiments(study, experiments, options):
    """Each with the time that it takes by itself, and all together: many share runs."""
    rounds = _rounds(options, study)
    rows = [
        (one.name, one.runs(), f"{one.title}{'; by --only alone' if one.by_name else ''}", rounds)
        for one in experiments
    ]
    if len(rows) > 1:
        all_of_them = f"{rounds} rounds of all of them; they share runs"
        rows.append(("all", _runs(one for one in experiments if options.only or not one.by_name), all_of_them, rounds))
    _show(rows, options)


def _show(rows, options):
    """`rows`: names, runs, titles, rounds. What a terminal cannot show goes on below its title."""
    inputs = _repeatable_inputs(options)
    width = max(len(row[0]) for row in rows)
    for name, runs, title, rounds in rows:
        time = durations.in_words(durations.of_runs(runs, rounds, inputs))
        say(*text_table.hanging(f"{name:{width}}  {time:>11}  ", title).splitlines())


def _runs(experiments):
    """The runs of all of them, each once."""
    return list(dict.fromkeys(run for one in experiments for run in one.runs()))


def _refuse_budget(study, runs, inputs, options, folder):
    """A study that goes on runs the rounds that fit: what it has already is not known here."""
    if options.budget is None or (not options.fresh and journal.has_records(folder)):
        return
    rounds = min(options.rounds or LEAST_ROUNDS, LEAST_ROUNDS)
    timed = [run for run in runs if not run.kind.is_simulated]  # those end with the budget
    needed = durations.of_runs(timed, rounds, inputs)
    if needed > options.budget * 60:
        raise Failure(
            f"{rounds} rounds of {study.name} need about {durations.in_words(needed)}, more than the "
            f"budget of {options.budget:g} minute{'' if options.budget == 1 else 's'}; --small or --only "
            "make a study shorter",
            USAGE,
        )


def _traced(runs):
    """The names of traces that simulations of a study replay."""
    return list(dict.fromkeys(run.program.name for run in runs if run.kind.is_simulated))


def _provide_traces(names, installation, progress, quiet):
    from ..traces import folder

    return folder.provide(installation, names, quiet, progress) if names else {}


def _make_traces(study, experiments, options):
    from ..machine.installation import Installation
    from ..command.progress import ProgressBar

    raise_on_signals()
    names = _traced(_runs(experiments))
    if not names:
        raise Failure(f"--traces: what is run of {study.name} replays none", USAGE)
    installation = Installation.from_environment()
    _refuse_without_programs(study, _runs(experiments), installation)
    with ProgressBar(options.quiet) as progress:
        problems = _provide_traces(names, installation, progress, options.quiet)
    for problem in problems.values():
        tell(problem)
    say(f"{len(names) - len(problems)} of {len(names)} traces: {installation.traces}")
    return FAILED if problems else 0


def _named(all_studies, name):
    for one in all_studies:
        if one.name == name:
            return one
    names = [one.name for one in all_studies]
    if name == "list":
        raise Failure("there is no study 'list'; did you mean '--list'?", USAGE)
    there = did_you_mean(name, names) or f"; there are {', '.join(names)}"
    raise Failure(f"there is no study '{name}'{there}", USAGE)


def _chosen(study, names):
    known = {one.name for one in study.experiments}
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"; 'mmt study {study.name} --list' shows all"
            raise Failure(f"--only: {study.name} has no '{name}'{hint}", USAGE)
    if names:
        return [one for one in study.experiments if one.name in names]
    return [one for one in study.experiments if not one.by_name]


def _inputs(study, runs, options):
    if options.paper_inputs and not any(run.program.paper for run in runs):
        raise Failure(f"--paper-inputs: {study.name} has none of its paper's in what is run", USAGE)
    if options.paper_inputs:
        return Inputs.PAPER
    return _repeatable_inputs(options)


def _repeatable_inputs(options):
    """Those of any study."""
    if options.short:
        return Inputs.SHORT
    return Inputs.SMALL if options.small else Inputs.DEFAULT


def _refuse_without_programs(study, runs, installation):
    """Where all of its programs that are MMT's have yet to be built, in one line rather than in one a run.
    Where only some are, the others are measured."""
    words = [run.program.command[0] for run in runs]
    own = [one for one in words if one.startswith(("{workloads}", "{replay-models}"))]
    there = [one for one in own if os.path.exists(installation.in_place([one])[0])]
    if own and not there:
        raise Failure(
            f"none of MMT's programs that {study.name} runs is there, such as "
            f"'{installation.in_place(own[:1])[0]}': 'make workloads' makes them"
        )


def _make(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot make the folder '{folder}': {error.strerror}") from None
    if folder.stat().st_uid not in (0, os.geteuid()):
        raise Failure(f"cannot write into the folder '{folder}': it is another user's, who may change what is read")
    if not os.access(folder, os.W_OK):
        raise Failure(f"cannot write into the folder '{folder}'")


def _command_line(study, options):
    """The command that repeats the study."""
    words = ["mmt", "study", study.name]
    if options.only:
        words += ["--only", ",".join(options.only)]
    for name in ("rounds", "budget"):
        if (value := getattr(options, name)) is not None:
            words += [f"--{name}", f"{value:g}"]
    for name in ("small", "short", "paper_inputs"):
        if getattr(options, name):
            words.append(f"--{name.replace('_', '-')}")
    return (*words, "--seed", str(options.seed))


def _run(study, experiments, options):
    from ..machine import identity, machine
    from ..results import result
    from ..machine.installation import Installation
    from ..measuring.launcher import Launcher
    from ..command.progress import ProgressBar
    from ..measuring.proof import Proofs
    from ..reporters import study_reports
    from ..measuring.runs import Bench
    from ..measuring.session import Session, Settings

    raise_on_signals()
    installation = Installation.from_environment()
    runs = _runs(experiments)
    inputs = _inputs(study, runs, options)
    folder = pathlib.Path(os.path.abspath(options.output or f"study-{study.name}"))
    _refuse_budget(study, runs, inputs, options, folder)
    _refuse_without_programs(study, runs, installation)
    _make(folder)
    settings = Settings(
        options.seed, options.rounds, options.budget, options.timeout, inputs, options.only
    )
    wanted = [] if inputs is Inputs.SMALL else _traced(runs)  # a trial takes those that are there
    with ProgressBar(options.quiet) as progress:
        problems = _provide_traces(wanted, installation, progress, options.quiet)
    for problem in problems.values():
        tell(problem)
    manifest = machine.examine(installation)
    known = identity.of_study(study, runs, installation, manifest, settings)
    with memory_bound.bounded(memory_bound.of(options)):
        record = journal.Journal(folder, known, options.fresh)
    with tempfile.TemporaryDirectory(prefix="mmt-study-") as scratch:
        launcher = Launcher(installation.binary, scratch, settings.time_limit)
        bench = Bench(installation, launcher, Proofs(installation, launcher), inputs)
        with ProgressBar(options.quiet) as progress:
            outcome = Session(runs, bench, record, settings, progress).run()
    record.close()
    remarks = list(outcome.remarks)
    if inputs is Inputs.SMALL:
        remarks.append("small inputs: a trial, whose figures say nothing about the paper's")
    if inputs is Inputs.SHORT:
        remarks.append(SHORT)
    if inputs is Inputs.PAPER:
        remarks.append(PAPER_INPUTS)
    if outcome.interrupted:
        done = f"{outcome.rounds} whole round{'' if outcome.rounds == 1 else 's'}"
        remarks.append(f"interrupted after {done}; the same command goes on")
    told = result.StudyResult(
        schema=result.SCHEMA,
        kind="study",
        study=study.name,
        title=study.title,
        paper=study.paper,
        command=_command_line(study, options),
        settings={
            "seed": settings.seed,
            "only": list(settings.only),
            "small": inputs is Inputs.SMALL,
            "short": inputs is Inputs.SHORT,
            "paper_inputs": inputs is Inputs.PAPER,
        },
        machine=manifest,
        rounds=outcome.rounds,
        complete=outcome.complete and not outcome.interrupted,
        remarks=tuple(remarks),
        commands=identity.command_lines(runs, bench),
        experiments=tuple(
            result.experiment_result(one, outcome.samples, outcome.problems, inputs is Inputs.SMALL)
            for one in experiments
        ),
        samples=tuple(result.SampleResult(*one) for one in outcome.samples.flat()),
    )
    study_reports.publish(told, folder)
    if outcome.interrupted:
        tell(remarks[-1])
        return outcome.interrupted
    return FAILED if told.has_missing() else 0
