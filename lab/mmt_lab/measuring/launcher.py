"""Runs a program, or several side by side, through `mmt measure`, which is small. A process
inherits the peak RSS of what calls exec, and Python's would hide the program's. The order and the
answer are specified in docs/laboratory.md.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess

from ..command.failure import FAILED, Failure, Interrupted

SCHEMA = 1
MAX_COMPLAINT = 200
INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class RunFailed(Exception):
    """One run did not work; the study goes on with others. Says why in one line. `status`: what `mmt
    measure` ended with, where that says why, as for a program that is not there."""

    def __init__(self, message, status=FAILED):
        super().__init__(message)
        self.status = status


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
    def __init__(self, binary, folder, time_limit, environment=None):
        """`folder`: an empty one for what a run writes. `environment`: what each program has,
        clean_environment() unless given."""
        self._binary = binary
        self._folder = pathlib.Path(folder)
        self._time_limit = time_limit
        self._environment = clean_environment() if environment is None else environment

    @property
    def folder(self):
        return self._folder

    @property
    def time_limit(self):
        return self._time_limit

    def run(self, command, environment, any_status=False, **order):
        """Runs to the end. The answer of `mmt measure`; RunFailed when the program fails, unless
        `any_status` may be its exit status. `order`: what else the order says, such as `observe`."""
        errors = order.pop("errors", self._folder / "errors")
        return self._answers([self._order(command, environment, errors, **order)], any_status)[0]

    def look(self, program):
        """What can be told of a program without running it: its path, and whether it brings a malloc
        of its own. RunFailed when there is none."""
        return self._ask([self._order([program], {}, "/dev/null", look_only=True)])[0]

    def run_together(self, commands, environment):
        """The same for several side by side, of which none is timed; RunFailed when one fails."""
        folder = self._folder
        return self._answers(
            [
                self._order(command, environment, folder / f"errors-{number}")
                for number, command in enumerate(commands)
            ]
        )

    def _order(self, command, environment, errors, **more):
        return {
            "schema": SCHEMA,
            "command": [str(word) for word in command],
            "environment": self._environment | environment,
            "output": "/dev/null",
            "errors": errors if isinstance(errors, int) else str(errors),
            "time_limit": self._time_limit,
            "observe": False,
        } | more

    def _answers(self, orders, any_status=False):
        answers = self._ask(orders)
        for order, answer in zip(orders, answers, strict=True):
            problem = self._problem(answer, any_status)
            if problem:
                complaint = _last_line(order["errors"])
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
        process = subprocess.Popen(
            [str(self._binary), "measure"],
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[one for one in (order["output"], order["errors"]) if type(one) is int],
        )
        with contextlib.suppress(BrokenPipeError):  # its answer tells why
            process.stdin.write(json.dumps(_in_bytes(order)))
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        process.stdin = None  # communicate() would flush it
        return process

    @staticmethod
    def _answer(process, out, err):
        if process.returncode in (128 + one for one in INTERRUPTS):
            raise Interrupted(process.returncode - 128)
        if process.returncode != 0:
            why = err.strip().removeprefix("mmt: ") or "'mmt measure' failed"
            raise RunFailed(why, process.returncode)
        answer = json.loads(out)
        if answer["schema"] != SCHEMA:
            raise Failure("'mmt measure' is of another version than the laboratory")
        return answer

    def _problem(self, answer, any_status):
        if answer["timed_out"]:
            return f"took longer than {self._time_limit:g} s"
        if answer["signal"]:
            number = answer["signal"]
            return f"killed by signal {number} ({signal.strsignal(number) or 'unknown'})"
        status = 0 if any_status else answer["status"]
        return f"exit status {status}" if status else ""


def _in_bytes(value):
    """An order with a character for each byte of its texts: arguments, variables and paths are any
    bytes, JSON is not."""
    if isinstance(value, str):
        return os.fsencode(value).decode("latin-1")
    if isinstance(value, list):
        return [_in_bytes(one) for one in value]
    if isinstance(value, dict):
        return {_in_bytes(name): _in_bytes(one) for name, one in value.items()}
    return value


def _last_line(errors):
    """The last line of what a program complained about; `errors` is a file, or a descriptor that was shown."""
    if type(errors) is int:
        return ""
    try:
        text = pathlib.Path(errors).read_text(encoding="utf-8", errors="replace")
        lines = text.strip().splitlines()
    except OSError:
        return ""
    return lines[-1][:MAX_COMPLAINT] if lines else ""
