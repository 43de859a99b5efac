"""Proof that a program really runs on the allocator it is compared under. A timed run without it is
refused: a preload that did not take is the commonest false result there is.
"""

import os
import pathlib
import re
import subprocess

from .launcher import RunFailed


class Proofs:
    def __init__(self, installation, launcher, trusts_static=False):
        """`trusts_static`: a program that loads no library at all is taken to have the C library's
        malloc in it."""
        self._installation = installation
        self._launcher = launcher
        self._trusts_static = trusts_static
        self._proved = {}  # allocator -> the problem, or None
        self._served = {}  # allocator -> the file that serves its malloc
        self._versions = {}  # allocator -> what it says itself; empty: nothing

    def environment(self, allocator):
        """Variables that put a program on the allocator."""
        variables = dict(allocator.environment)
        files = [self._installation.library(one) for one in allocator.libraries]
        if files:
            variables["LD_PRELOAD"] = ":".join(str(one) for one in files)
        return variables

    def of_allocator(self, allocator):
        """A program started with it must say that its malloc comes from there, and the C library
        must know the tunables that it is given. Raises RunFailed."""
        if allocator not in self._proved:
            try:
                self._prove(allocator)
                self._proved[allocator] = None
            except RunFailed as failure:
                self._proved[allocator] = str(failure)
        if self._proved[allocator]:
            raise RunFailed(self._proved[allocator])

    def served_by(self, allocator):
        """The file that of_allocator() saw serve malloc."""
        return self._served[allocator]

    def version(self, allocator):
        """As the library says itself; empty where it does not. After of_allocator()."""
        return self._versions[allocator]

    def of_run(self, allocator, answer, in_front=None):
        """The files mapped into a finished program must be those of the allocator. `in_front`: a
        library that was loaded before it, and passes calls on."""
        files, malloc_files = answer["files"], answer["malloc_files"]
        if not files:
            raise RunFailed("the files mapped into it could not be seen: no proof of its allocator")
        if answer["own_malloc"]:
            raise RunFailed("it brings an allocator of its own, which goes before any library")
        for library in allocator.libraries:
            path = self._installation.library(library)
            if not any(_is_same(path, one) for one in files):
                raise RunFailed(f"'{path}' {_why_not_loaded(files)}")
        if allocator.library:
            return
        others = [
            one for one in malloc_files if not _is_libc(one) and not (in_front and _is_same(in_front, one))
        ]
        if others:
            raise RunFailed(f"it loads '{others[0]}', so it is not on the C library's allocator")
        if not malloc_files and not (self._trusts_static and not _loads_libraries(files)):
            raise RunFailed("the C library was not seen in it: no proof of its allocator")

    def _prove(self, allocator):
        for library in allocator.libraries:
            if not self._installation.library(library).exists():
                path = self._installation.library(library)
                raise RunFailed(f"there is no library '{path}'{self._installation.remedy_for(path)}")
        variables = self.environment(allocator)
        output = self._launcher.folder / "probe"
        self._launcher.run([self._installation.binary, "probe"], variables, output=str(output))
        served, self._versions[allocator] = _two_lines(output)
        self._served[allocator] = served
        path = self._installation.library(allocator.library)
        right = _is_same(served, path) if allocator.library else _is_libc(served)
        if not right:
            raise RunFailed(f"'{allocator.name}' does not take over: malloc comes from '{served}'")
        _prove_tunables(variables.get("GLIBC_TUNABLES", ""))


def _prove_tunables(tunables):
    """glibc ignores a name that it does not know without a word."""
    if not tunables:
        return
    done = subprocess.run(
        [_loader(), "--list-tunables"],
        env={"GLIBC_TUNABLES": tunables},
        capture_output=True,
        text=True,
        check=False,
    )
    for setting in tunables.split(":"):
        name, _, value = setting.partition("=")
        found = re.search(rf"^{re.escape(name)}: (\S+)", done.stdout, re.M)
        if not found:
            raise RunFailed(f"this C library has no tunable '{name}'")
        if int(found.group(1), 0) != int(value, 0):
            raise RunFailed(f"this C library did not take '{setting}': it has {found.group(1)}")


def _loader():
    """The dynamic linker of this process, which is the system's."""
    for line in pathlib.Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        path = line.split()[-1]
        if os.path.basename(path).startswith("ld-linux"):
            return path
    raise RunFailed("there is no dynamic linker of glibc on this machine")


def _two_lines(path):
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return (*lines, "", "")[:2]


def _is_same(one, other):
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _loads_libraries(files):
    return any(".so" in os.path.basename(one) for one in files)


def _why_not_loaded(files):
    if _loads_libraries(files):
        return "was not loaded into it"
    return "cannot be loaded into it: it is statically linked"


def _is_libc(path):
    return os.path.basename(path).startswith("libc.so")
