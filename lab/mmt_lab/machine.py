"""The manifest of the machine: what a figure depends on and a reader cannot see."""

import os
import pathlib
import platform
import re
import shutil
import subprocess

import numpy

# A machine that is busier than this share of one CPU is no place for timings.
BUSY = 0.5


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
        "cpu": _field(cpus, "model name"),
        "cpus": len(os.sched_getaffinity(0)),
        "virtual": "hypervisor" in _field(cpus, "flags").split(),
        "memory": _field(_read("/proc/meminfo"), "MemTotal"),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "thp": _chosen(_read("/sys/kernel/mm/transparent_hugepage/enabled")),
        "governor": governor or "none",
        "aslr": _read("/proc/sys/kernel/randomize_va_space"),
        "libc": os.confstr("CS_GNU_LIBC_VERSION") or "unknown",
        "compiler": compiler_of(installation.binary),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "commit": installation.commit(),
    }


def busy_remark():
    """What to say when others use the machine; else nothing."""
    load = os.getloadavg()[0]
    if load < BUSY:
        return None
    return f"the machine was busy when the measurement began: load {load:.2f} over the last minute"
