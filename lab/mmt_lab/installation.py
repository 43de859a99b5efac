"""Where the parts of MMT are: told by `mmt study`, in variables MMT_LAB_..."""

import dataclasses
import hashlib
import os
import pathlib
import shutil
import subprocess

from .failure import Failure


@dataclasses.dataclass(frozen=True)
class Installation:
    binary: pathlib.Path  # mmt itself
    libraries: pathlib.Path
    workloads: pathlib.Path
    scripts: pathlib.Path

    @staticmethod
    def from_environment():
        def path(name):
            value = os.environ.get(f"MMT_LAB_{name}")
            if not value:
                raise Failure(
                    f"MMT_LAB_{name} is not set: the laboratory is started by 'mmt study'"
                )
            return pathlib.Path(os.path.abspath(value))

        return Installation(path("BINARY"), path("LIBRARIES"), path("WORKLOADS"), path("SCRIPTS"))

    def command(self, program, small):
        """The words of a program's command line."""
        words = (*program.command, *(program.small if small else ()))
        return [
            one.replace("{workloads}", str(self.workloads)).replace("{scripts}", str(self.scripts))
            for one in words
        ]

    def library(self, file):
        return self.libraries / file

    def commit(self):
        """Commit of the sources that this tree is of, else the version of `mmt`."""
        root = pathlib.Path(__file__).resolve().parents[2]
        if (root / ".git").exists() and shutil.which("git"):
            git = ["git", "-c", f"safe.directory={root}", "-C", root]
            head = _output([*git, "rev-parse", "HEAD"])
            if head:
                changed = _output([*git, "status", "--porcelain", "--untracked-files=no"])
                return f"{head} with changes" if changed else head
        return _output([self.binary, "--version"]) or "unknown"


def _output(command):
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def digest(path):
    """SHA-256 of a file; empty when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
