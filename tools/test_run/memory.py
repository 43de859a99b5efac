"""Is there memory for a stage, and who has what is missing?"""

import pathlib
import re

NEEDED = 2 << 30  # bytes: two compilers at work, or the largest test


def _bytes(file, name):
    """A number that the kernel gives in kB; None where it gives none."""
    found = re.search(rf"^{name}:\s+(\d+) kB$", file.read_text(encoding="latin-1"), re.MULTILINE)
    return int(found[1]) * 1024 if found else None


def warning(proc=pathlib.Path("/proc"), needed=NEEDED):
    """A line that names the process with the most memory, where less is available than `needed`; else nothing."""
    available = _bytes(proc / "meminfo", "MemAvailable")
    if available is None or available >= needed:
        return ""
    most, owner = 0, "nobody"
    for status in proc.glob("[0-9]*/status"):
        try:
            has = _bytes(status, "VmRSS") or 0
            if has > most:
                name = (status.parent / "comm").read_text(encoding="latin-1").strip()
                most, owner = has, f"process {status.parent.name}, {ascii(name)},"
        except OSError:
            continue  # it has ended
    return f"only {available >> 20} MiB of memory are available; {owner} has {most >> 20} MiB"
