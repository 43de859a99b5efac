"""What tests ask of a machine and not every one has: plain containers refuse much of it.

Each probe is made in a process of its own, by the call that the tests make.
"""

import ctypes
import os
import pathlib
import resource
import stat

_PTRACE_TRACEME = 0
_ADDR_NO_RANDOMIZE = 0x40000
_CLONE_FILES, _CLONE_NEWNS = 0x400, 0x20000
_PR_GET_SECCOMP = 21
_CAP_IPC_LOCK, _CAP_SYS_PTRACE, _CAP_SYS_NICE = 14, 19, 23


def _works_in_child(call):
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if call(ctypes.CDLL(None, use_errno=True)) else 1)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def _has_capability(number):
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        found = [line.split()[1] for line in file if line.startswith("CapEff:")]
    return bool(found) and bool(int(found[0], 16) >> number & 1)


def _becomes_real_time(_):
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return True


def _has_locked_memory():
    return _has_capability(_CAP_IPC_LOCK) or resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] == resource.RLIM_INFINITY


def _quota():
    """CPUs that this process's control group may use, and those above it; without a quota, infinitely many."""
    least = float("inf")
    member = pathlib.Path("/proc/self/cgroup")
    for line in member.read_text(encoding="utf-8").splitlines() if member.exists() else ():
        number, controllers, place = line.split(":", 2)
        root = pathlib.Path("/sys/fs/cgroup", "" if number == "0" else controllers)
        for group in (root / place.lstrip("/"), *(root / place.lstrip("/")).parents):
            for names in (("cpu.max",), ("cpu.cfs_quota_us", "cpu.cfs_period_us")):
                try:
                    words = " ".join((group / name).read_text(encoding="utf-8") for name in names).split()
                except OSError:
                    continue
                if words[0] not in ("max", "-1"):
                    least = min(least, int(words[0]) / int(words[1]))
    return least


# What is needed: whether it is there, and why not.
_PROBES = {
    "ptrace": (lambda: _works_in_child(lambda libc: libc.ptrace(_PTRACE_TRACEME, 0, 0, 0) == 0), "ptrace is refused"),
    "personality": (
        lambda: _works_in_child(lambda libc: libc.personality(_ADDR_NO_RANDOMIZE) != -1),
        "address randomisation cannot be turned off",
    ),
    "unshare": (lambda: _works_in_child(lambda libc: libc.unshare(_CLONE_FILES) == 0), "unshare is refused"),
    "mounts": (lambda: _works_in_child(lambda libc: libc.unshare(_CLONE_NEWNS) == 0), "no mount name spaces"),
    "no-filter": (lambda: ctypes.CDLL(None).prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) == 0, "a filter of system calls is there"),
    "real-time": (lambda: _works_in_child(_becomes_real_time), "real-time classes are refused"),
    "priority": (lambda: _has_capability(_CAP_SYS_NICE), "a better priority is refused"),
    "others": (lambda: _has_capability(_CAP_SYS_PTRACE), "other users' processes may not be looked into"),
    "locked-memory": (_has_locked_memory, "memory that may be locked has a limit"),
    "two-cpus": (lambda: min(len(os.sched_getaffinity(0)), _quota()) >= 2, "one CPU"),
}


def lacks(*needed):
    """Why not all that is named is there; empty: it is. KeyError: no such name."""
    return next((why for has, why in map(_PROBES.__getitem__, needed) if not has()), "")


def everyone_may_read(path):
    """Whether any user can open the file, as a clone in root's own folder lets nobody."""
    place = os.path.realpath(path)
    if not os.stat(place).st_mode & stat.S_IROTH:
        return False
    while place != "/":
        place = os.path.dirname(place)
        if not os.stat(place).st_mode & stat.S_IXOTH:
            return False
    return True
