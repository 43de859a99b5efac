"""The manifest of the machine: what a figure depends on and a reader cannot see."""

import os
import pathlib
import platform
import re
import resource
import shutil
import subprocess
import time

import numpy

from ..measuring import cache_misses

# A machine that is busier than this share of one CPU is no place for timings.
BUSY = 0.5
# Seconds below which the kernel's clock ticks tell nothing.
SHORTEST_LOOK = 0.5
# A host that keeps less of the CPUs' time disturbs nothing.
STEAL = 0.02


def _read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _field(text, name):
    found = re.search(rf"^{name}\s*:\s*(.*)$", text, re.M)
    return found.group(1).strip() if found else "unknown"


def _chosen(text):
    """The word in brackets of "always [madvise] never"."""
    found = re.search(r"\[(\S+)\]", text)
    return found.group(1) if found else text or "not there"


def processor():
    """The CPU's own name."""
    return _field(_read("/proc/cpuinfo"), "model name")


def caches():
    """The first CPU's caches: "L1 Data 48K, ..., L3 Unified 32768K"."""
    folder = pathlib.Path("/sys/devices/system/cpu/cpu0/cache")
    words = [
        f"L{_read(one / 'level')} {_read(one / 'type')} {_read(one / 'size')}"
        for one in sorted(folder.glob("index*"))
    ]
    return ", ".join(words) or "unknown"


def kernel():
    return f"{platform.system()} {platform.release()} {platform.machine()}"


def compiler_of(binary):
    """What compiled it, as the compiler wrote into the file."""
    if not shutil.which("readelf"):
        return "unknown: no readelf (apt-get install binutils)"
    done = subprocess.run(
        ["readelf", "-p", ".comment", str(binary)], capture_output=True, text=True, check=False
    )
    lines = re.findall(r"^\s*\[\s*[0-9a-f]+\]\s+(.*)$", done.stdout, re.M)
    return "; ".join(lines) or "unknown"


def examine(installation):
    """What stays the same while the machine, its settings and MMT do. A study goes on only where
    all of this is as it was."""
    cpus = _read("/proc/cpuinfo")
    governor = _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    return {
        "cpu": processor(),
        "cpus": len(os.sched_getaffinity(0)),
        "virtual": "hypervisor" in _field(cpus, "flags").split(),
        "memory": _field(_read("/proc/meminfo"), "MemTotal"),
        "caches": caches(),
        "counters": "yes" if cache_misses.has_counters() else "none",
        "kernel": kernel(),
        "thp": _chosen(_read("/sys/kernel/mm/transparent_hugepage/enabled")),
        "governor": governor or "none",
        "aslr": _read("/proc/sys/kernel/randomize_va_space"),
        "libc": os.confstr("CS_GNU_LIBC_VERSION") or "unknown",
        "compiler": compiler_of(installation.binary),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "commit": installation.commit,
    }


class Others:
    """What others use of the CPUs from now on: not this process, nor what it runs and waits for."""

    def __init__(self):
        self._start = time.monotonic()
        self._all = _busy_seconds()
        self._own = _own_seconds()

    def cpus(self):
        """How many CPUs that is; 0 where it is too little to disturb."""
        passed = time.monotonic() - self._start
        if passed < SHORTEST_LOOK:
            return 0.0
        used = (_busy_seconds() - self._all - (_own_seconds() - self._own)) / passed
        return used if used >= BUSY else 0.0


def busy_remark(cpus):
    """What to say of an answer of Others.cpus(); nothing where it is 0."""
    return f"the machine was busy: other programs used {cpus:.2f} CPUs meanwhile" if cpus else None


def _busy_seconds():
    """The busy time of all CPUs, but for what the host kept."""
    ticks = [int(one) for one in _read("/proc/stat").split("\n")[0].split()[1:9]]
    if len(ticks) != 8:
        return 0.0
    user, nice, system, _idle, _waiting, interrupts, soft_interrupts, _kept_ticks = ticks
    return (user + nice + system + interrupts + soft_interrupts) / os.sysconf("SC_CLK_TCK")


def _own_seconds():
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(one) for one in whose]
    return sum(one.ru_utime + one.ru_stime for one in used)


def cpu_times():
    """Ticks so far, of all CPUs: those that the host of a virtual machine kept, and all."""
    ticks = [int(one) for one in _read("/proc/stat").split("\n")[0].split()[1:9]]
    return (ticks[7], sum(ticks)) if len(ticks) == 8 else (0, 0)


def host_remark(before):
    """What the host took since cpu_times() was `before`."""
    return f"the host kept {_kept(before):.1%} of the CPUs' time meanwhile (steal of /proc/stat)"


def steal_remark(before):
    """The same, where it is enough to disturb; else nothing."""
    return host_remark(before) if _kept(before) > STEAL else None


def _kept(before):
    kept, whole = (now - then for now, then in zip(cpu_times(), before, strict=True))
    return kept / whole if whole else 0.0
