"""What is printed, and standard streams that take no more: closed, full, or a pipe that nobody reads
any longer."""

import errno
import os
import signal
import sys

from ..text.visible import visible
from .failure import FAILED, tell

# As of `mmt list options | head -1`: the reader has seen enough.
NOBODY_READS = 128 + signal.SIGPIPE


def say(*lines, stream=None):
    """Each on a line of its own, whatever is named in it."""
    out = stream or sys.stdout
    out.write("".join(f"{visible(one)}\n" for one in lines))


def lost(error):
    """The exit status, when `error` kept standard output from taking something."""
    _forget(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return NOBODY_READS
    # A stream that is closed has no reason of its own.
    reason = "" if error.errno in (None, errno.EBADF) else f": {os.strerror(error.errno)}"
    tell(f"cannot write to standard output{reason}")
    return FAILED


def finish(status):
    """The exit status, once standard output has taken all of it. Messages may be lost."""
    try:
        sys.stdout.flush()
    except OSError as error:
        status = lost(error)
    try:
        sys.stderr.flush()
    except OSError:
        _forget(sys.stderr)
    return status


def _forget(stream):
    """What it could not take must not be tried again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
