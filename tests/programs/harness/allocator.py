"""How a program is started: as it is, with a preloaded library, or through `mmt run`.

An Allocator turns a command line and an environment into those that really run. Only the child
gets LD_PRELOAD, never the driver. `library` is the file name that must show up in the program's
memory map, or None when nothing is loaded.
"""

import os
import shutil
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import machine  # noqa: E402


class Allocator:
    """The plain C library."""

    name = "plain"
    library = None
    reports = False  # whether each process leaves exit statistics
    options = ""  # for MMT_OPTIONS, beside those that make it report

    def wrap(self, argv, env):
        return list(argv), dict(env)

    def staged_for_others(self, folder):
        """The same allocator from files that every user may read; `folder` is such a place."""
        del folder
        return self


class Preload(Allocator):
    """Any library, through LD_PRELOAD."""

    def __init__(self, path):
        self.path = os.path.realpath(path)
        if not os.path.isfile(self.path):
            raise FileNotFoundError(f"no such library: {path}")
        self.name = os.path.basename(path)
        self.library = os.path.basename(self.path)
        self.reports = self.library == "libmmt.so"

    def wrap(self, argv, env):
        return list(argv), {**env, "LD_PRELOAD": self.path}

    def staged_for_others(self, folder):
        if machine.everyone_may_read(self.path):
            return self
        return Preload(_public_copy(self.path, folder))


class Mmt(Allocator):
    """`mmt run -- program`, from a build or install tree with bin/mmt and lib/libmmt.so."""

    name = "mmt run"
    library = "libmmt.so"
    reports = True

    def __init__(self, path, heap=None, backend=None, protocol="mmt"):
        self.path = os.path.realpath(path)
        self.choice = ["--heap", heap] if heap else []
        if backend:
            self.choice = ["--backend", backend, "--protocol", protocol or "mmt"]
        if not os.access(self.path, os.X_OK):
            raise FileNotFoundError(f"no such program: {path}")
        if self.choice:
            self.name = " ".join(["mmt run", *self.choice])
            self.library = f"libmmt-{heap or 'protocol-' + self.choice[-1]}.so"
            self.reports = False

    def wrap(self, argv, env):
        return [self.path, "run", *self.choice, "--", *argv], dict(env)

    def staged_for_others(self, folder):
        library = os.path.join(os.path.dirname(os.path.dirname(self.path)), "lib", self.library)
        if not os.path.exists(library) or (
            machine.everyone_may_read(self.path) and machine.everyone_may_read(library)
        ):
            return self
        _public_copy(os.path.realpath(library), os.path.join(folder, "lib"))
        copy = Mmt(_public_copy(self.path, os.path.join(folder, "bin")))
        copy.choice, copy.name, copy.library, copy.reports = (
            self.choice, self.name, self.library, self.reports)  # fmt: skip
        return copy


def _public_copy(path, folder):
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)
    copy = os.path.join(folder, os.path.basename(path))
    # Once: a server may run with it, which a second copy over it would cut short.
    if not os.path.exists(copy):
        whole = f"{copy}.new"
        shutil.copyfile(path, whole)
        os.chmod(whole, 0o755)
        os.rename(whole, copy)
    return copy
