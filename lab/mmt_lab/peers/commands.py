"""Commands that fetch and build: each needs a program, and may fail."""

import os
import shutil
import subprocess

from ..command.failure import Failure

PACKAGES = {
    "pip": "python3-pip",
    "cargo": "cargo (1.70 or later; cargo-web on Debian 12)",
    "cmake": "cmake",
    "make": "make",
    "cc": "gcc",
    "c++": "g++",
    "g++": "g++",
    "java": "openjdk-17-jdk-headless",
    "javac": "openjdk-17-jdk-headless",
    "mvn": "maven",
    "redis-server": "redis-server",
    "redis-benchmark": "redis-tools",
}
_KEPT_LINES = 12


def require(*programs, wanted_by="--peers today"):
    """A Failure names those that are not there, and what brings them."""
    missing = [one for one in programs if not path_of(one)]
    if missing:
        remedies = ", ".join(f"{one} (package {PACKAGES.get(one, one)})" for one in missing)
        raise Failure(f"{wanted_by} needs {remedies}")


def path_of(program):
    names = ("pip3", "pip") if program == "pip" else (program,)
    return next((path for one in names if (path := shutil.which(one))), None)


def run(what, command, folder, **variables):
    """Runs to the end; a Failure says what failed, and keeps all that was printed in a log beside."""
    log = folder / "log"
    environment = {
        name: value
        for name, value in os.environ.items()
        if name != "LD_PRELOAD" and not name.startswith("MMT_")
    }
    with open(log, "ab") as file:
        done = subprocess.run(
            [str(one) for one in command],
            cwd=folder,
            env=environment | {name: str(value) for name, value in variables.items()},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        lines = [one for one in _last_lines(log) if one.strip()]
        why = f": {lines[-1].strip()}" if lines else ""
        raise Failure(f"cannot {what}{why} (all of it is in '{log}')")


def _last_lines(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    return text.splitlines()[-_KEPT_LINES:]
