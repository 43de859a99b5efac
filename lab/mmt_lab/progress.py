"""The progress bar, with an estimate of the time left. Drawn between runs, never beside one."""

import sys

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn
from rich.text import Text


class _TimeLeft(ProgressColumn):
    max_refresh = None

    def render(self, task):
        left = task.fields.get("left")
        if left is None:
            return Text("")
        minutes, seconds = divmod(round(left), 60)
        return Text(f"about {minutes}:{seconds:02d} left")


class ProgressBar:
    """Silent where stderr is no terminal, or when asked to be."""

    def __init__(self, quiet):
        # One that is disabled still prints an empty line at its end.
        self._shown = not quiet and sys.stderr.isatty()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            TextColumn("{task.percentage:>3.0f}%"),
            _TimeLeft(),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
        )
        self._task = self._bar.add_task("", total=1.0, left=None)

    def __enter__(self):
        if self._shown:
            self._bar.start()
        return self

    def __exit__(self, *_):
        if self._shown:
            self._bar.stop()

    def show(self, text, share, left=None):
        """`share` of the work is done, `left` seconds are left."""
        if self._shown:
            self._bar.update(self._task, description=text, completed=share, left=left)
            self._bar.refresh()
