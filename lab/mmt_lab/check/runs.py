"""The user's program run once: plainly, in a mode of MMT, or with its calls of malloc timed."""

import os

from ..machine.installation import remedy_for
from ..measuring.launcher import Launcher, RunFailed

PLAIN = "plain"
SHOWN_LINES = 10
# What has ended once in its time may take so much longer when the machine has other things to do.
PATIENCE = 4


def environment():
    """The user's, without what `mmt` has told the laboratory, and without preloads."""
    return {
        name: value
        for name, value in os.environ.items()
        if name != "LD_PRELOAD" and not name.startswith("MMT_LAB_")
    }


def without_options(variables):
    """For a program that is not on the native heap: its options would be none of its."""
    return {name: value for name, value in variables.items() if not name.startswith("MMT_")}


class Runs:
    """`command` in all of its modes; each run gives the answer of `mmt measure`."""

    def __init__(self, binary, folder, facts, command, limits, source="/dev/null"):
        """`limits`: (seconds of the first run, whether any exit status will do). `source`: what the
        program reads as standard input."""
        self._binary = str(binary)
        self._facts = facts
        self._command = command
        self._folder = folder
        self._any_status = limits[1]
        self._source = str(source)
        user = environment()
        later = PATIENCE * limits[0]
        self._first = Launcher(binary, folder, limits[0], without_options(user))
        self._plainly = Launcher(binary, folder, later, without_options(user))
        self._natively = Launcher(binary, folder, later, user)

    def once(self, mode, observe=False):
        """The first run is plain and observed. RunFailed when the program fails, or in a mode of MMT
        has not got what it was to load."""
        variables = self._facts.modes[mode] if mode != PLAIN else {}
        launcher = self._natively if mode in ("native", "direct") else self._plainly
        if mode == PLAIN and observe:
            launcher = self._first
        answer = self._run(launcher, variables, observe=observe)
        if observe and variables:
            self._prove(variables["LD_PRELOAD"], answer["files"])
        return answer

    def counted(self):
        """Plainly, but for the library that times its calls; the answer has them, where the library
        was loaded."""
        if self._facts.timer is None:
            path = os.path.join(os.path.dirname(os.path.dirname(self._binary)), "lib", "libmmt-latency.so")
            raise RunFailed(f"libmmt-latency.so is not there{remedy_for(self._binary, path)}")
        calls = str(self._folder / "calls")
        return self._run(self._plainly, {"LD_PRELOAD": self._facts.timer}, calls=calls)

    def complaint(self):
        """The last lines that the last run wrote to standard error."""
        try:
            text = (self._folder / "errors").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        return text.splitlines()[-SHOWN_LINES:]

    def _run(self, launcher, variables, **order):
        return launcher.run(
            self._command, variables, any_status=self._any_status, input=self._source, **order
        )

    @staticmethod
    def _prove(library, files):
        if not any(os.path.exists(one) and os.path.samefile(one, library) for one in files):
            raise RunFailed(f"'{os.path.basename(library)}' was not found loaded in it")
