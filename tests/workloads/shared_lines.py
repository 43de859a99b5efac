#!/usr/bin/env python3
"""Figure 2 of the transactional memory study: whether two threads that allocate in turn get blocks of one
cache line. By addresses, which `allocator_probe` tells; nothing is timed.

    shared_lines.py PROBE LIBRARY yes|no

Status 77, skipped, where the library is not there.
"""

import os
import subprocess
import sys

SKIPPED = 77
BLOCKS = 64  # of each thread
LINE = 64


def told(probe, library):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MMT_")}
    done = subprocess.run([probe], env=environment | {"LD_PRELOAD": library},
                          capture_output=True, text=True, timeout=60, check=True)
    # The dynamic linker says so, and goes on with the C library's.
    assert "cannot be preloaded" not in done.stderr, done.stderr
    return {key: float(value) for key, _, value in (one.partition(": ") for one in done.stdout.splitlines())}


def main(probe, library, wanted):
    if not os.path.exists(library):
        print(f"skipped: there is no '{library}'")
        return SKIPPED
    numbers = told(probe, library)
    shared, apart = numbers["shared_lines"], numbers["first_blocks_apart"]
    print(f"{shared:g} of {BLOCKS} blocks in a line with the other thread's; the first {apart:g} bytes apart")
    if wanted == "no":
        # Nor can a line hold the first blocks of both.
        return 0 if shared == 0 and apart >= LINE else 1
    return 0 if 1 <= shared <= BLOCKS else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
