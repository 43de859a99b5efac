#!/usr/bin/env python3
"""Counts the instructions of a malloc/free pair, for glibc, the installed peers and libmmt.so.

Runs the workload `fastpath` under callgrind twice, with different numbers of pairs, and divides the
difference: what happens once (loading, first pages) falls out. Only what measured_pairs() calls is
counted, so a memory thread does not matter; the same loop with an allocator that does nothing is
taken off. The figures repeat exactly; they are averages over 64 sizes from 16 to 520 bytes.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FEW, MANY = 64_000, 320_000
COLLECTED = re.compile(r"^==\d+== Collected : (\d+)", re.MULTILINE)


class CountError(Exception):
    """A run that gives no figure."""


@dataclasses.dataclass(frozen=True)
class Allocator:
    name: str
    library: str = ""
    null: bool = False

    def environment(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("LD_PRELOAD", "MMT_"))}
        if self.library:
            environment["LD_PRELOAD"] = self.library
        if self.name == "mmt":
            # Valgrind has no restartable sequences, and needs none: it never interrupts one.
            environment["MMT_OPTIONS"] = "rseq=assume"
        return environment


def installed_peers(library):
    """The allocators of others that the `mmt` beside the library finds."""
    command = library.resolve().parent.parent / "bin" / "mmt"
    if not command.exists():
        raise CountError(f"there is no {command}: build it")
    told = subprocess.run([str(command), "list", "allocators", "--json"], capture_output=True, check=True)
    for one in json.loads(told.stdout)["allocators"]:
        if one["name"] not in ("mmt", "glibc"):
            yield Allocator(one["name"], one["path"])


def instructions(program, allocator, pairs):
    """Instructions executed inside measured_pairs() by a run of that many pairs."""
    command = ["valgrind", "--tool=callgrind", "--toggle-collect=measured_pairs",
               "--callgrind-out-file=/dev/null", str(program), f"--pairs={pairs}"]
    if allocator.null:
        command.append("--allocator=null")
    run = subprocess.run(command, env=allocator.environment(), capture_output=True, text=True,
                         timeout=300)
    collected = COLLECTED.search(run.stderr)
    if run.returncode != 0 or "cannot be preloaded" in run.stderr or not collected:
        raise CountError(f"{allocator.name}: exit status {run.returncode}\n{run.stderr}")
    return int(collected.group(1))


def per_pair(program, allocator):
    difference = instructions(program, allocator, MANY) - instructions(program, allocator, FEW)
    return difference / (MANY - FEW)


def measure(program, allocators):
    """Instructions a pair by name, net of the loop."""
    loop = per_pair(program, Allocator("loop", null=True))
    return {one.name: round(per_pair(program, one) - loop, 2) for one in allocators}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=pathlib.Path,
                        default=ROOT / "build/release/workloads/fastpath", help="the workload")
    parser.add_argument("--mmt", "--allocator", type=pathlib.Path, metavar="PATH",
                        default=ROOT / "build/release/lib/libmmt.so", help="libmmt.so")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--require-best", type=float, metavar="LIMIT",
                        help="fail unless mmt is below every peer and at most LIMIT")
    arguments = parser.parse_args()

    if shutil.which("valgrind") is None:
        sys.exit("callgrind_pair: valgrind is not installed")
    if not arguments.program.exists():
        sys.exit(f"callgrind_pair: there is no {arguments.program}: build the workloads")
    if not arguments.mmt.exists():
        sys.exit(f"callgrind_pair: there is no {arguments.mmt}")
    try:
        allocators = [Allocator("glibc"), *installed_peers(arguments.mmt)]
        allocators.append(Allocator("mmt", str(arguments.mmt.resolve())))
        counts = measure(arguments.program.resolve(), allocators)
    except CountError as error:
        sys.exit(f"callgrind_pair: {error}")

    if arguments.json:
        print(json.dumps({"schema": 1, "instructions_per_pair": counts}))
    else:
        for name, count in sorted(counts.items(), key=lambda item: item[1]):
            print(f"{name:20} {count:8.1f}")
    if arguments.require_best is None:
        return 0
    mine = counts.pop("mmt")
    best = min(counts, key=counts.get)
    if mine >= counts[best] or mine > arguments.require_best:
        print(f"callgrind_pair: mmt needs {mine} instructions a pair; {best} needs {counts[best]}, "
              f"the limit is {arguments.require_best}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
