"""`mmt check -- program`: whether MMT is for it, why, and in which mode."""

import os
import pathlib
import sys
import tempfile
import time

from ..command import requirements
from ..command.failure import Failure, raise_on_signals
from ..command.standard_output import say
from ..text.output_file import OutputFile
from . import facts, options


def main(arguments):
    """The exit status, 0 whatever the answer is. A Failure when there is none."""
    chosen, command = options.parse(arguments)
    requirements.check("numpy")
    from . import document, words  # only now: they need the packages

    raise_on_signals()
    output = OutputFile(chosen.json) if chosen.json else None
    check = _check(chosen, command)
    if chosen.json != "-":
        say(*words.lines(check))
        sys.stdout.flush()
    if output:
        output.write(document.dumps(check, words.sentence(check), words.to_take(check)))
    return 0


def _check(chosen, command):
    from ..machine.installation import Installation
    from . import evidence, verdict
    from .document import Check

    installation = Installation.from_environment()
    known = facts.ask(installation.binary, command[0])
    if known.obstacle:
        seen, measured = evidence.of_obstacle(known), None
    else:
        measured = _measure(installation, known, chosen, command)
        seen = evidence.of_runs(known, measured)
    return Check(command, known, measured, seen, verdict.judge(seen))


def _measure(installation, known, chosen, command):
    from ..measuring.launcher import RunFailed
    from ..command.progress import ProgressBar
    from .measuring import Measuring, Settings
    from .runs import Runs

    with tempfile.TemporaryDirectory(prefix="mmt-check-") as folder:
        runs = Runs(
            installation.binary,
            pathlib.Path(folder),
            known,
            command,
            (chosen.timeout, chosen.ignore_failure),
            os.path.abspath(chosen.input),
        )
        settings = Settings(chosen.runs, chosen.budget, chosen.seed, chosen.input != os.devnull)
        with ProgressBar(chosen.quiet) as progress:
            try:
                return Measuring(runs, known, settings, progress, time.monotonic).run()
            except RunFailed as failure:
                complaint = runs.complaint()
                problem = str(failure)
        raise Failure(_plain_failure(problem, complaint, chosen, command[0]))


def _plain_failure(problem, complaint, chosen, program):
    """What to say of a program that does not work without MMT either; its own words come first."""
    if len(complaint) > 1:
        say(*complaint, stream=sys.stderr)
    if problem.startswith("took longer"):
        return (
            f"'{program}' had not ended after {chosen.timeout:g} s, without MMT: give it a load "
            "that ends (for a server: one script that starts it, sends requests and stops it), or "
            "--timeout"
        )
    return f"'{program}' fails without MMT: {problem}; --ignore-failure takes that for success"
