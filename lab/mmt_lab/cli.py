"""The verbs of `mmt` that are the laboratory's, and how they end."""

import os
import sys

from . import check_verb, report_verb, study_verb
from .failure import FAILED, USAGE, Failure, Interrupted, tell

TAKE_COMMAND = ("check",)
VERBS = {"check": check_verb.main, "study": study_verb.main, "report": report_verb.main}


def main(arguments):
    """`arguments`: the verb and what followed it. The exit status: the verb's own; 1 when it could
    not do its work, 2 for a wrong command line, 128 and its number after a signal."""
    try:
        verb = _verb(arguments)
        if "--" in arguments and arguments[0] not in TAKE_COMMAND:
            raise Failure(f"mmt {arguments[0]} takes no command", USAGE)
        status = verb(arguments[1:])
        sys.stdout.flush()
        return status
    except Failure as failure:
        tell(failure)
        return failure.status
    except Interrupted as interrupted:
        tell(interrupted)
        return interrupted.status
    except OSError as error:
        tell(error)
        _forget_stdout()
        return FAILED


def _verb(arguments):
    if not arguments or arguments[0] not in VERBS:
        raise Failure("the laboratory is started by 'mmt study' and 'mmt report'", USAGE)
    return VERBS[arguments[0]]


def _forget_stdout():
    """What it could not take must not be tried again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
