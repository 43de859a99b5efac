"""Files that are written whole or not at all: under another name first, then renamed."""

import contextlib
import os
import stat
import tempfile

from . import output_path


def write(path, text):
    """Replaces a file. What is no file, such as a pipe, is written to as it is; whether it was a
    file is returned. Raises OSError, and leaves what was there."""
    content = text.encode("utf-8", errors="replace")
    path = output_path.behind_links(path)  # a link of the user's own stays one
    if _is_something_else(path):
        with open(output_path.open_output(path), "wb") as stream:
            stream.write(content)
        return False
    folder, name = os.path.split(path)
    # By a name that nobody knows before.
    descriptor, unfinished = tempfile.mkstemp(prefix=f".{name[:100]}.", dir=folder or os.curdir)
    try:
        with open(descriptor, "wb") as file:
            os.fchmod(descriptor, 0o666 & ~_umask())
            file.write(content)
        os.replace(unfinished, path)
    except BaseException:  # a signal's, too
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise
    return True


def _umask():
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _is_something_else(path):
    try:
        status = os.stat(path)
    except OSError:
        return False
    is_pipe_of_others = stat.S_ISFIFO(status.st_mode) and status.st_uid not in (0, os.geteuid())
    return not stat.S_ISREG(status.st_mode) and not is_pipe_of_others
