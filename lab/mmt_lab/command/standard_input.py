"""What the user's shell has given as standard input: a file can be read again for each run."""

import os
import select
import stat

from .failure import tell

# How long the writer of a pipe may take to begin, in milliseconds.
_PATIENCE = 200


def source(remedy):
    """The path of a file that is redirected; /dev/null otherwise. Where a pipe has something, a
    line says that no run reads it, and the remedy."""
    try:
        kind = os.fstat(0).st_mode
    except OSError:
        return os.devnull
    if stat.S_ISREG(kind):
        return _path()
    if (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)) and _has_something():
        tell(f"no run reads standard input, which is no file: {remedy}")
    return os.devnull


def _path():
    name = os.path.realpath("/proc/self/fd/0")
    if os.path.exists(name) and os.path.samestat(os.stat(name), os.fstat(0)):
        return name
    return f"/proc/{os.getpid()}/fd/0"  # removed since


def _has_something():
    poll = select.poll()
    poll.register(0, select.POLLIN)
    return any(what & select.POLLIN for _, what in poll.poll(_PATIENCE))
