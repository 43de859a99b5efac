"""Whether there is memory for an input: without it a program would swap, or be killed, and its times
would say nothing.
"""

import pathlib
import re

from ..measuring.launcher import RunFailed

_STATE = pathlib.Path("/proc/meminfo")
_GIB = 1 << 30


def available(state=_STATE):
    """Bytes that programs can have without swapping."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB$", state.read_text(encoding="utf-8"), re.M)
    return int(found[1]) * 1024 if found else 0


def require(needed, state=_STATE):
    """RunFailed when so many bytes are not there."""
    if needed and (there := available(state)) < needed:
        raise RunFailed(
            f"the paper's input needs {needed / _GIB:.1f} GiB of memory, of which "
            f"{there / _GIB:.1f} GiB are available"
        )
