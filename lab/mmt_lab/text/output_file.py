"""Report files whose every failure is seen. Opened early and written late: a long measurement fails
in its first second when its report has nowhere to go."""

import os
import stat
import sys

from ..command.failure import USAGE, Failure
from .output_path import open_output


def refuse_inputs(outputs, inputs):
    """A Failure where one of the outputs is one of the inputs, under that name or another."""
    for output in outputs:
        if output is None or output == "-" or not os.path.isfile(output):
            continue
        for one in inputs:
            if os.path.exists(one) and os.path.samefile(output, one):
                raise Failure(f"cannot write '{output}': it is what is read, '{one}'", USAGE)


class OutputFile:
    """A file, or standard output by the name "-". It is emptied only when something is written."""

    def __init__(self, path):
        self._path = path
        self._descriptor = None
        if path != "-":
            self._descriptor = self._try("open", lambda: open_output(path))

    def write(self, content):
        """Text, or bytes."""
        is_text = isinstance(content, str)
        if self._descriptor is None:
            sys.stdout.flush()
            (sys.stdout if is_text else sys.stdout.buffer).write(content)
            sys.stdout.flush()
        else:
            raw = content.encode("utf-8", errors="replace") if is_text else content
            self._try("write", lambda: self._replace(raw))

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
