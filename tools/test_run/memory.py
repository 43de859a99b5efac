"""Is there memory for a stage, and who has what is missing?"""

import pathlib

NEEDED = 2 << 30  # bytes: two compilers at work, or the largest test


def _numbers(file):
    lines = (line.partition(":") for line in file.read_text(encoding="latin-1").splitlines())
    return {key: int(value.split()[0]) * 1024 for key, _, value in lines if value.strip().endswith("kB")}


def warning(proc=pathlib.Path("/proc"), needed=NEEDED):
    """A line that names the process with the most memory, where less is available than `needed`; else nothing."""
    available = _numbers(proc / "meminfo")["MemAvailable"]
    if available >= needed:
        return ""
    most, owner = 0, "nobody"
    for status in proc.glob("[0-9]*/status"):
        try:
            has = _numbers(status).get("VmRSS", 0)
            if has > most:
                name = (status.parent / "comm").read_text(encoding="latin-1").strip()
                most, owner = has, f"process {status.parent.name}, {ascii(name)},"
        except OSError:
            continue  # it has ended
    return f"only {available >> 20} MiB of memory are available; {owner} has {most >> 20} MiB"
