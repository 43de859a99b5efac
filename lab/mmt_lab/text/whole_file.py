"""Files that are written whole or not at all: under another name first, then renamed."""

import contextlib
import os
import stat


def write(path, text):
    """Replaces a file. What is no file, such as a pipe, is written to as it is; whether it was a
    file is returned. Raises OSError, and leaves what was there."""
    content = text.encode("utf-8", errors="replace")
    if _is_something_else(path):
        with open(path, "wb") as stream:
            stream.write(content)
        return False
    path = os.path.realpath(path)  # a link stays one
    folder, name = os.path.split(path)
    unfinished = os.path.join(folder, f".{name}.new")
    try:
        with open(unfinished, "wb") as file:
            file.write(content)
        os.replace(unfinished, path)
    except BaseException:  # a signal's, too
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise
    return True


def _is_something_else(path):
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False
