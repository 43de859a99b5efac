"""How much memory reading may take: what --memory gives, else what `mmt` finds to be half of what is
free. The system holds the bound."""

import argparse
import contextlib
import os
import re
import resource

from .failure import Failure

HELP = "Memory that reading may take, such as 2G [half of what is free]"
_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_LEAST, _MOST = 1 << 20, 1 << 40

_reading = ""  # the file that is named where memory is out


def size(text):
    """The bytes that an option's text names."""
    found = re.fullmatch(r"([0-9]{1,15})([KMGT]?)", text)
    value = int(found[1]) * _FACTORS[found[2]] if found else 0
    if not _LEAST <= value <= _MOST:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of bytes from 1M to 1024G")
    return value


def add_to(parser):
    parser.add_argument("--memory", type=size, metavar="SIZE", help=HELP)


def of(options):
    """Bytes; 0: none is told."""
    return options.memory or int(os.environ.get("MMT_LAB_MEMORY") or 0)


def now_reading(path):
    global _reading
    _reading = str(path)


def told(limit):
    """The line for where memory is out."""
    where = f"'{_reading}': " if _reading else ""
    if not limit:
        return f"{where}no memory is left"
    return f"{where}it takes more than the {limit >> 20} MiB of memory that --memory gives"


@contextlib.contextmanager
def bounded(limit):
    """A Failure where what is done within takes more, beside what there is. No process is to be started
    within: it would have the bound, too."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if limit:
        most = _data() + limit
        below = [one for one in (most, soft, hard) if one != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_DATA, (min(below), hard))
    try:
        yield
    except MemoryError:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
        raise Failure(told(limit)) from None
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _data():
    """What the process has of what RLIMIT_DATA limits."""
    with open("/proc/self/status", encoding="utf-8") as file:
        found = re.search(r"^VmData:\s+(\d+) kB$", file.read(), re.M)
    return int(found[1]) * 1024 if found else 0
