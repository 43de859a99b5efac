"""Lists of CPUs as taskset takes them: "0", "0-1", "0,2-3"."""

import os
import re

HIGHEST = 1023


def parse_cpu_list(text):
    """[CPU]; none of the empty text. ValueError when it is no list of CPUs."""
    cpus = []
    for part in text.split(",") if text else ():
        found = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if first > last or last > HIGHEST:
            raise ValueError(text)
        cpus += range(first, last + 1)
    return cpus


def not_usable(cpus):
    """Those of a list that this process may not use."""
    return sorted(set(cpus) - os.sched_getaffinity(0))


def usable():
    """The CPUs that this process may use, as a list: "0-1"."""
    parts = []
    for cpu in sorted(os.sched_getaffinity(0)):
        if parts and parts[-1][1] == cpu - 1:
            parts[-1][1] = cpu
        else:
            parts.append([cpu, cpu])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in parts)
