"""Runs a program, or several side by side, through `mmt measure`, which is small: a process inherits the peak RSS
of what calls exec, and Python's would hide the program's. The order and the answer are specified in
docs/laboratory.md.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile

from .failure import Failure, Interrupted

SCHEMA = 1
MAX_COMPLAINT = 200
INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class RunFailed(Exception):
    """One run did not work; the study goes on with others. Says why in one line."""


def clean_environment():
    """The user's, without what would change an allocator or a measured program."""
    dropped = ("LD_PRELOAD", "LD_AUDIT", "LD_DEBUG", "GLIBC_TUNABLES")
    prefixes = ("MMT_", "MALLOC_", "PYTHON", "PERL")
    return {
        name: value
        for name, value in os.environ.items()
        if name not in dropped and not name.startswith(prefixes)
    }


class Launcher:
    def __init__(self, binary, folder, time_limit):
        """`folder`: an empty one for what a run writes."""
        self._binary = binary
        self._folder = pathlib.Path(folder)
        self._time_limit = time_limit

    @property
    def folder(self):
        return self._folder

    def run(self, command, environment, observe=False, output=None):
        """Runs to the end. The answer of `mmt measure`; RunFailed when the program fails."""
        order = self._order(command, environment, self._folder / "errors", observe, output)
        return self._answers([order])[0]

    def run_together(self, commands, environment):
        """The same for several side by side, of which none is timed; RunFailed when one fails."""
        folder = self._folder
        return self._answers(
            [
                self._order(command, environment, folder / f"errors-{number}")
                for number, command in enumerate(commands)
            ]
        )

    def _order(self, command, environment, errors, observe=False, output=None):
        return {
            "schema": SCHEMA,
            "command": [str(word) for word in command],
            "environment": clean_environment() | environment,
            "output": str(output or "/dev/null"),
            "errors": str(errors),
            "time_limit": self._time_limit,
            "observe": observe,
        }

    def _answers(self, orders):
        answers = self._ask(orders)
        for order, answer in zip(orders, answers, strict=True):
            problem = self._problem(answer)
            if problem:
                complaint = _last_line(pathlib.Path(order["errors"]))
                raise RunFailed(f"{problem}: {complaint}" if complaint else problem)
        return answers

    def _ask(self, orders):
        processes = []
        with contextlib.ExitStack() as stack:
            try:
                for order in orders:
                    processes.append(stack.enter_context(self._begin(order)))
                texts = [process.communicate() for process in processes]
            except BaseException:
                for process in processes:
                    process.terminate()  # on SIGTERM it ends the program that it runs; killed, it can't
                    process.wait()
                raise
        return [
            self._answer(process, *text) for process, text in zip(processes, texts, strict=True)
        ]

    def _begin(self, order):
        """`mmt measure`, which has its order, and waits for nothing else."""
        with tempfile.TemporaryFile("w+") as file:
            json.dump(order, file)
            file.seek(0)
            return subprocess.Popen(
                [str(self._binary), "measure"],
                text=True,
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )

    @staticmethod
    def _answer(process, out, err):
        if process.returncode in (128 + one for one in INTERRUPTS):
            raise Interrupted(process.returncode - 128)
        if process.returncode != 0:
            raise RunFailed(err.strip().removeprefix("mmt: ") or "'mmt measure' failed")
        answer = json.loads(out)
        if answer["schema"] != SCHEMA:
            raise Failure("'mmt measure' is of another version than the laboratory")
        return answer

    def _problem(self, answer):
        if answer["timed_out"]:
            return f"took longer than {self._time_limit:g} s"
        if answer["signal"]:
            return f"killed by signal {answer['signal']}"
        return f"exit status {answer['status']}" if answer["status"] else ""


def _last_line(path):
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1][:MAX_COMPLAINT] if lines else ""
