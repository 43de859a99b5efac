#!/usr/bin/env python3
"""No instruction of a library that replaces malloc needs its stack to be aligned.

Code that no compiler made may call malloc with a stack pointer that is 8 bytes off. Compilers keep
vectors on the stack by instructions that fault there. For x86-64; others are skipped.
"""

import re
import subprocess
import sys

SKIPPED = 77
# What takes a vector from any address.
UNALIGNED = re.compile(r"v?(mov(ups|upd|dqu|dqu8|dqu64|d|q|ss|sd|lps|hps|lpd|hpd)|lddqu)")
SCALAR = re.compile(r"v?(add|sub|mul|div|sqrt|min|max|ucomi|comi|cvt\w*)s[sdi]\w*|v?cvt\w+|v?pinsr\w|v?pextr\w")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\s+(\S+)\s+(.*)$")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def faults(operation, operands):
    """Whether the instruction reads or writes a vector on the stack that has to be aligned."""
    if not re.search(r"%[xyz]mm", operands) or not re.search(r"\(%r[sb]p", operands):
        return False
    return not UNALIGNED.fullmatch(operation) and not SCALAR.fullmatch(operation)


def main():
    library = sys.argv[1]
    if "x86-64" not in run("objdump", "-f", library):
        print("skipped: not for x86-64")
        return SKIPPED
    name, seen, wrong = "?", 0, []
    for line in run("objdump", "-d", "--no-show-raw-insn", library).splitlines():
        if head := FUNCTION.match(line):
            name = head[1]
        elif instruction := INSTRUCTION.match(line):
            seen += 1
            if faults(*instruction.groups()):
                wrong.append(f"{name}: {' '.join(instruction.groups())}")
    if seen < 100:
        sys.exit(f"{library}: objdump shows no code")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
