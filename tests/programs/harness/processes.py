"""The processes below this one: found through /proc, adopted when orphaned, ended by pid.

The driver is a child subreaper, so a daemon that leaves its session still ends up below it. It can
neither outlive a case nor be mistaken for somebody else's process.
"""

import ctypes
import os
import signal
import time

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None, use_errno=True)


def adopt_orphans():
    if _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def dying_with_driver():
    """A preexec_fn: should the driver be killed, the child gets a SIGTERM."""
    driver = os.getpid()

    def prepare():
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != driver:  # it was killed before the child could ask for its signal
            os._exit(1)

    return prepare


def _state_and_parent(pid):
    """(state letter, parent pid), or None when the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return fields[0].decode(), int(fields[1])


def descendants(root=None):
    """Pids of living processes below `root` (this process by default), without zombies."""
    root = os.getpid() if root is None else root
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            known = _state_and_parent(entry)
            if known and known[0] not in "ZX":
                children.setdefault(known[1], []).append(int(entry))
    found, todo = [], [root]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return found


def describe(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        words = "gone"
    return f"{pid} ({words[:80]})"


def wait_until_gone(grace):
    """Descendants still alive after `grace` seconds."""
    deadline = time.monotonic() + grace
    while True:
        reap()
        alive = descendants()
        if not alive or time.monotonic() > deadline:
            return alive
        time.sleep(0.01)


def kill_all():
    """Ends every descendant, also those born while this runs."""
    for _ in range(100):
        alive = descendants()
        for pid in alive:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        reap()
        if not alive:
            return
        time.sleep(0.02)


def reap():
    """Collects orphans that have ended. Call only when no Popen object is being waited for."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
