"""The progress bar, with an estimate of the time left. Drawn between runs, never beside one, and
never wider than the terminal."""

import os
import sys

from ..text.visible import visible

WIDTH = 30


class ProgressBar:
    """Silent where stderr is no terminal, or when asked to be."""

    def __init__(self, quiet, stream=None):
        self._stream = stream or sys.stderr
        self._shown = not quiet and self._stream.isatty()
        self._drawn = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.clear()

    def show(self, text, share, left=None):
        """`share` of the work is done, `left` seconds are left."""
        if not self._shown:
            return
        self._write(f"\r\033[K{line(text, share, left, columns(self._stream))}")
        self._drawn = True

    def clear(self):
        """Takes the bar away, before something else is printed."""
        if self._drawn:
            self._write("\r\033[K")
        self._drawn = False

    def _write(self, text):
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._shown = self._drawn = False  # nobody looks any more


def line(text, share, left, width):
    """What is drawn in one line of `width` columns."""
    share = min(max(share, 0.0), 1.0)
    about = ""
    if left is not None:
        minutes, seconds = divmod(round(left), 60)
        about = f" {minutes}:{seconds:02d} left"
    bar = min(WIDTH, max(width // 3, 1))
    filled = int(share * bar)
    # The last column stays free: a terminal would begin a new line behind it.
    shown = f"[{'#' * filled}{'.' * (bar - filled)}] {share:4.0%}{about}  {visible(text)}"
    return shown[: max(width - 1, 0)]


def columns(stream):
    """The width of the terminal that `stream` is."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
