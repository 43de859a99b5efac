"""Memory of all processes that this one started, and of theirs: the largest sum of resident bytes that
was seen, looked at every so often.

What processes share counts in each, so the sum is never too small for what was seen. What lived only
between two looks is not seen; the kernel's own peak of the largest single process is a floor.
"""

import os
import pathlib
import resource
import threading

APART = 0.1  # seconds between two looks
_PAGE = os.sysconf("SC_PAGE_SIZE")


def _parents():
    """{process: its parent}."""
    found = {}
    for one in pathlib.Path("/proc").iterdir():
        if one.name.isdigit():
            try:  # behind the name, which may hold anything
                found[int(one.name)] = int((one / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue  # it ended
    return found


def _resident(process):
    try:
        return int(pathlib.Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def below(process):
    """Bytes of all that descend from it, without its own."""
    children = {}
    for one, parent in _parents().items():
        children.setdefault(parent, []).append(one)
    total, left = 0, list(children.get(process, ()))
    while left:
        one = left.pop()
        total += _resident(one)
        left += children.get(one, ())
    return total


class Watch:
    """Looks from `with` to its end; then `peak` is known. One thread of its own."""

    def __init__(self):
        self.peak = 0
        self.looks = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
        self.peak = max(self.peak, largest)

    def _look(self):
        while not self._end.is_set():
            self.peak = max(self.peak, below(os.getpid()))
            self.looks += 1
            self._end.wait(APART)
