"""Runs a program under `mmt trace`: plainly, or as a server with its load."""

import pathlib
import shutil
import subprocess
import time

from ..command.failure import Failure
from ..measuring.launcher import clean_environment

_PATIENCE = 900.0  # seconds


class Recorder:
    def __init__(self, installation, places):
        """`places`: {name: path} for the words of command lines."""
        self._binary = str(installation.binary)
        self._places = {name: str(path) for name, path in places.items()}

    def record(self, traced, output):
        """Writes the trace; a Failure says why there is none."""
        work = output.parent / "work"
        work.mkdir(exist_ok=True)
        log = output.parent / "log"
        words = [self._binary, "trace"]
        if traced.is_java:
            words += ["--java", "--precision", traced.precision]
        words += ["-o", str(output), "--", *self._filled(traced.command, work)]
        with open(log, "wb") as file:
            process = subprocess.Popen(
                words,
                cwd=work,
                env=clean_environment() | dict(traced.environment),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
            try:
                if traced.load:
                    self._serve(traced, work, process, file)
                status = process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                raise Failure(f"tracing {traced.name} took longer than {_PATIENCE:g} s") from None
            finally:
                if process.poll() is None:
                    process.terminate()
                    process.wait()
        if status or not output.is_file():
            raise Failure(f"cannot trace {traced.name}: {_last_line(log) or f'exit status {status}'}")
        shutil.rmtree(work)

    def _filled(self, words, work):
        return [one.format(tmp=work, **self._places) for one in words]

    def _serve(self, traced, work, process, log):
        """Waits until the server listens, loads it, and asks it to end."""
        until = time.monotonic() + 30
        while not (work / "socket").exists():
            if process.poll() is not None or time.monotonic() > until:
                raise Failure(f"cannot trace {traced.name}: it does not listen")
            time.sleep(0.05)
        for words in (traced.load, traced.end):
            subprocess.run(
                self._filled(words, work),
                env=clean_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                timeout=_PATIENCE,
                check=True,
            )


def _last_line(log):
    lines = pathlib.Path(log).read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1][:200] if lines else ""


def told_by_compiler(question):
    """The compiler's answer; empty where there is no compiler."""
    if not shutil.which("g++"):
        return ""
    done = subprocess.run(["g++", question], capture_output=True, text=True, check=False)
    return done.stdout.strip()
