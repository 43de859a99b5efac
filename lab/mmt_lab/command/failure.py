"""How the laboratory fails: a Failure ends it, with a line on stderr and a verb's exit status."""

import contextlib
import signal
import sys

from ..text.visible import visible

FAILED = 1  # the verb could not do its work, or not all of it
USAGE = 2  # wrong command line
NOT_EXECUTABLE = 126  # the program is there, and cannot be started
NOT_FOUND = 127  # the program is not there


class Failure(Exception):
    """Says in one line what is wrong."""

    def __init__(self, text, status=FAILED):
        super().__init__(text)
        self.status = status


class Interrupted(BaseException):
    """A signal asked for the end. Never an error of one run, nor of what takes every Exception for one
    of its own, as shutil.rmtree(ignore_errors=True) does."""

    def __init__(self, number):
        super().__init__("interrupted")
        self.status = 128 + number


def raise_on_signals():
    """From now on a signal that asks for the end raises Interrupted."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _on_signal)


def _on_signal(number, _frame):
    raise Interrupted(number)


def tell(text):
    """One line on stderr, "mmt: text". A stderr that is closed or full changes nothing else."""
    with contextlib.suppress(OSError):
        print(f"mmt: {visible(text)}", file=sys.stderr, flush=True)
