"""The folder where today's peers are kept: a folder a version, made whole or not at all."""

import fcntl
import os
import pathlib
import shutil
import tempfile

from ..command.failure import Failure, tell
from ..machine import cache
from . import builds, commands
from .pins import PINS

_MINUTES = "a few minutes, once"


def default():
    return cache.folder("peers")


def provide(folder, quiet=False):
    """{name: (library, version)} of all pins; those that are not there are fetched and built, which
    is said. A Failure leaves what was there."""
    folder = pathlib.Path(os.path.abspath(folder or default()))
    missing = [one for one in PINS if not _library(folder, one).is_file()]
    if missing:
        commands.require(*dict.fromkeys(p for one in missing for p in builds.programs_for(one)))
        _make(folder)
        if not quiet:
            names = ", ".join(f"{one.name} {one.version}" for one in missing)
            tell(f"fetching and building {names} in '{folder}': this takes {_MINUTES}")
        with open(folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two that begin at once build one after the other
            for one in missing:
                if not _library(folder, one).is_file():
                    _add(folder, one)
    return {one.name: (str(_library(folder, one)), one.version) for one in PINS}


def _library(folder, pin):
    # The digest: of the same version from other sources another folder is made.
    return folder / f"{pin.name}-{pin.version}-{pin.digest[:8]}" / pin.library


def _make(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot make the folder '{folder}': {error.strerror}") from None


def _add(folder, pin):
    work = pathlib.Path(tempfile.mkdtemp(prefix=f"{pin.name}.", dir=folder))
    library = builds.build(pin, work)
    whole = work / "whole"
    whole.mkdir()
    shutil.copy(library, whole / pin.library)
    os.rename(whole, _library(folder, pin).parent)
    shutil.rmtree(work)  # after a Failure it stays, with its log
