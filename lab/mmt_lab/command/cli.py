"""The verbs of `mmt` that are the laboratory's, and how they end."""

import importlib
import sys

from . import memory_bound
from .failure import FAILED, USAGE, Failure, Interrupted, tell
from .standard_output import finish, lost, say

# Each in a module of its own, so that none waits for what another needs.
TAKE_COMMAND = ("bench", "check")
VERBS = {
    "bench": "bench.verb",
    "check": "check.verb",
    "study": "study.verb",
    "report": "results.verb",
    "simulate": "simulate.verb",
    "trace": "traces.export",
}


def main(arguments):
    """`arguments`: the verb and what followed it. The exit status is the verb's own. It is 1 when
    it could not do its work, 2 for a wrong command line, 128 and its number after a signal."""
    # What programs and files are called is any bytes; visible.py shows them.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    return finish(_status(arguments))


def _status(arguments):
    try:
        verb = _verb(arguments)
        if arguments[1:2] == ["--grammar"]:
            return _run(_print_grammar, arguments)
        if "--" in arguments and arguments[0] not in TAKE_COMMAND:
            raise Failure(f"mmt {arguments[0]} takes no command", USAGE)
        return _run(verb, arguments[1:])
    except Failure as failure:
        tell(failure)
        return failure.status
    except Interrupted as interrupted:
        tell(interrupted)
        return interrupted.status
    except MemoryError:
        tell(memory_bound.told(0))
        return FAILED
    except OSError as error:
        if error.filename is None:  # standard output has none
            return lost(error)
        tell(error)
        return FAILED


def _verb(arguments):
    if not arguments or arguments[0] not in VERBS:
        raise Failure("the laboratory is started by 'mmt bench', 'mmt study', 'mmt report'", USAGE)
    return importlib.import_module(f"mmt_lab.{VERBS[arguments[0]]}").main


def _print_grammar(arguments):
    from .grammar import grammar  # only now: it knows what all verbs need

    say(grammar(arguments[0], arguments[2:]))
    return 0


def _run(verb, arguments):
    try:
        return verb(arguments)
    except SystemExit as done:  # the help was printed
        return done.code or 0
