"""Where what took long to make is kept for the next time."""

import os
import pathlib

from ..command.failure import Failure


def folder(name):
    """`name` in the user's cache; it need not be there. A Failure where the user has none."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return pathlib.Path(cache or home() / ".cache") / "mmt" / name


def home():
    """The user's folder. A Failure where HOME is not set and nobody knows the user."""
    try:
        return pathlib.Path.home()
    except RuntimeError:
        raise Failure(
            f"user {os.geteuid()} has no home folder: set HOME, or XDG_CACHE_HOME for what is kept"
        ) from None
