"""Where the parts of MMT are, and which it is: told by `mmt`, in variables MMT_LAB_..."""

import dataclasses
import hashlib
import os
import pathlib

from ..study.experiment import Inputs
from ..command.failure import Failure
from . import cache


MODELS = "mmt-replay-models"
REAL = "mmt-replay-real"


@dataclasses.dataclass(frozen=True)
class Installation:
    binary: pathlib.Path  # mmt itself
    libraries: pathlib.Path
    workloads: pathlib.Path
    scripts: pathlib.Path
    commit: str = "unknown"
    suites: pathlib.Path = pathlib.Path()
    traces_at: pathlib.Path | None = None  # None: in the user's cache

    @staticmethod
    def from_environment():
        def told(name):
            value = os.environ.get(f"MMT_LAB_{name}")
            if not value:
                raise Failure(
                    f"MMT_LAB_{name} is not set: the laboratory is started by 'mmt'"
                )
            return value

        def path(name):
            return pathlib.Path(os.path.abspath(told(name)))

        return Installation(
            path("BINARY"),
            path("LIBRARIES"),
            path("WORKLOADS"),
            path("SCRIPTS"),
            told("COMMIT"),
            path("SUITES"),
            path("TRACES") if os.environ.get("MMT_LAB_TRACES") else None,
        )

    @property
    def traces(self):
        """Where traces of programs are kept; made when they are not there."""
        return self.traces_at or pathlib.Path(os.path.abspath(cache.folder("traces")))

    def command(self, program, inputs):
        """The words of a program's command line. Those that are added override those before."""
        added = {Inputs.SMALL: program.small, Inputs.SHORT: program.short, Inputs.PAPER: program.paper}
        return self.in_place((*program.command, *added.get(inputs, ())))

    def in_place(self, words):
        """With the folders that words begin with."""
        places = {
            "{workloads}": self.workloads,
            "{scripts}": self.scripts,
            "{replay-models}": _place_of_program(self.binary, MODELS),
        }
        if any("{traces}" in one for one in words):
            places["{traces}"] = self.traces
        return [_filled(one, places) for one in words]

    def remedy(self, program, package):
        """What brings a program that is not there: a command, empty where none is known."""
        if package:
            return f"apt-get install {package}"
        is_ours = self.workloads in pathlib.Path(program).parents
        return "make workloads" if is_ours and not os.path.exists(program) else ""

    def library(self, file):
        return self.libraries / file

    def own_program(self, name):
        """A program that `mmt` starts: MODELS or REAL."""
        path = _place_of_program(self.binary, name)
        if not os.access(path, os.X_OK):
            raise Failure(f"there is no program '{path}'{self.remedy_for(path)}")
        return path

    def remedy_for(self, path):
        return remedy_for(self.binary, path)


def remedy_for(binary, path):
    """What makes a part of MMT that is not there, as words behind an error: as the command has them."""
    is_built_here = (pathlib.Path(binary).parent.parent / "CMakeCache.txt").exists()
    return " ('make' makes it)" if is_built_here and not os.path.exists(path) else ""


def _place_of_program(binary, name):
    """Where `mmt` was built beside it, else where it is installed."""
    beside = binary.parent / name
    return beside if beside.exists() else binary.parent.parent / "libexec" / "mmt" / name


def _filled(word, places):
    for name, path in places.items():
        word = word.replace(name, str(path))
    return word


def digest(path):
    """SHA-256 of a file; empty when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
