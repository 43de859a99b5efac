"""Report files whose every failure is seen. Opened early and written late: a long measurement fails
in its first second when its report has nowhere to go."""

import os
import stat
import sys

from .failure import Failure


class OutputFile:
    """A file, or standard output by the name "-". It is emptied only when something is written."""

    def __init__(self, path):
        self._path = path
        self._descriptor = None
        if path != "-":
            self._descriptor = self._try(
                "open", lambda: os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
            )

    def write(self, text):
        if self._descriptor is None:
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            self._try("write", lambda: self._replace(text.encode("utf-8", errors="replace")))

    def _replace(self, content):
        with open(self._descriptor, "wb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                file.truncate(0)
            file.write(content)

    def _try(self, action, do):
        try:
            return do()
        except OSError as error:
            raise Failure(f"cannot {action} '{self._path}': {error.strerror}") from None
