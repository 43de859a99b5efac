"""`mmt bench`: chooses programs and allocators, measures them, and hands the result to reporters."""

import dataclasses
import os
import shlex

from ..machine import cpu_list
from ..command import memory_bound, standard_input
from ..command.command_line import bench_parser
from ..command.did_you_mean import did_you_mean
from ..study.experiment import Program
from ..command.failure import USAGE, Failure, raise_on_signals
from ..machine.installation import Installation
from ..command.standard_output import say
from ..text.text_table import hanging
from . import suites
from .publishing import REPORTS

# A demonstration fits into a coffee break.
DEMO_BUDGET = 150.0
TIME_LIMIT = 600.0


def main(arguments):
    """The exit status: 0, 1 when a pair failed or a report could not be written, 128 and its number
    after a signal."""
    marker = arguments.index("--") if "--" in arguments else len(arguments)
    command = tuple(arguments[marker + 1 :])
    options = bench_parser().parse(arguments[:marker])
    installation = Installation.from_environment()
    if options.list:
        return _list(options, command, installation)
    if options.demo and options.budget is None:
        options.budget = DEMO_BUDGET
    programs = _programs(options, command, installation)
    from ..command import requirements  # only now: what needs packages takes its time to load

    requirements.check("numpy")
    from . import measuring

    raise_on_signals()
    return measuring.run(options, programs, command_line(options, command), installation)


def _list(options, command, installation):
    if command:
        raise Failure("--list lists suites: it takes no program behind --", USAGE)
    if not (options.suites or options.suite or options.demo):
        options.suites = suites.names(installation.suites)
    for one in _chosen(options, command, installation):
        say(*hanging(f"{one.label}: ", shlex.join(one.command)).splitlines())
    return 0


def _chosen(options, command, installation):
    """The programs of the suites that are named, with --only these of them; and the one behind --."""
    stray = [one for one in options.suites if one not in suites.names(installation.suites)]
    if stray and options.allocators and command:
        joined = ",".join((*options.allocators, *stray))
        raise Failure(
            f"there is no suite '{stray[0]}'; commas join allocators: --allocators {joined}", USAGE
        )
    files = [*options.suite, *(suites.find(one, installation.suites) for one in options.suites)]
    if options.demo:
        files.append(suites.find("demo", installation.suites))
    with memory_bound.bounded(memory_bound.of(options)):
        programs = [one for file in files for one in suites.load(file, installation.workloads)]
    names = sorted({one.name for one in programs})
    if options.only and not names:
        raise Failure("--only chooses among the programs of suites: name a suite, too", USAGE)
    for name in options.only:
        if name not in names:
            meant = did_you_mean(name, names) or f"; there are {', '.join(names)}"
            raise Failure(f"--only: the suites have no program '{name}'{meant}", USAGE)
    if options.only:
        programs = [one for one in programs if one.name in options.only]
    if command:
        programs.append(_behind_dashes(options, command))
    return list(dict.fromkeys(programs))


def _behind_dashes(options, command):
    lines = [one for one in command if " " in one]
    if len(command) > 1 and len(lines) == len(command) and not os.path.exists(command[0]):
        raise Failure(
            f"one program stands behind --, not {len(command)}: several make a suite, see --suite", USAGE
        )
    source = standard_input.source("redirect a file")
    name = os.path.basename(command[0])
    return Program(name, command, rounds=suites.DEFAULT_RUNS, pin=options.pin, input=source)


def _programs(options, command, installation):
    programs = _chosen(options, command, installation)
    _check(programs, options, command)
    if options.runs:
        programs = [dataclasses.replace(one, rounds=options.runs) for one in programs]
    return programs


def _check(programs, options, command):
    if not programs:
        raise Failure(
            "nothing to run: put a program behind --, or name a suite ('mmt bench --list')", USAGE
        )
    labels = [one.label for one in programs]
    for label in labels:
        if labels.count(label) > 1:
            raise Failure(f"two different programs are called '{label}'", USAGE)
    if options.pin and not command:
        raise Failure(
            "--pin is for a program behind --; a suite says itself what is bound", USAGE
        )
    missing = cpu_list.not_usable(cpu_list.parse_cpu_list(options.pin))
    if missing:
        raise Failure(
            f"--pin {options.pin}: there is no CPU {missing[0]} that this process may use; there "
            f"are {cpu_list.usable()}",
            USAGE,
        )
    if [getattr(options, one) for one in REPORTS].count("-") > 1:
        raise Failure("only one report can go to standard output", USAGE)


_FLAGS = ("ignore_failure", "show_output", "latency", "demo")
_VALUES = (
    "backend", "protocol", "peers", "peers_folder", "runs", "warmup", "prepare", "budget", "pin", "timeout", "seed",
)  # fmt: skip
_DEFAULTS = {"warmup": 1, "timeout": TIME_LIMIT, "peers": "debian"}


def command_line(options, command):
    """The words that repeat the run."""
    words = ["mmt", "bench", *options.suites]
    for one in options.suite:
        words += ["--suite", one]
    for name in ("only", "allocators"):
        if given := getattr(options, name):
            words += [f"--{name}", ",".join(given)]
    for name in _VALUES:
        value = getattr(options, name)
        if value not in (None, "", _DEFAULTS.get(name)):
            text = f"{value:.12g}" if isinstance(value, float) else str(value)
            words += [f"--{name.replace('_', '-')}", text]
    words += [f"--{name.replace('_', '-')}" for name in _FLAGS if getattr(options, name)]
    return (*words, *(("--", *command) if command else ()))
