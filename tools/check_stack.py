#!/usr/bin/env python3
"""Bounds the stack that a library's exported functions take on any path through its own code.

Reads the disassembly. A function takes what it pushes and what it takes off the stack pointer, and
then what the deepest of its callees takes. What the processor pushes at a call counts; a function
of another library counts as LIBC bytes. Jumps out of a function count as calls, so the bound errs
on the high side. A call through a pointer is an error unless INDIRECT says what it may reach, and
so is recursion. For x86-64 and optimized code; other libraries are skipped.
"""

import argparse
import re
import subprocess
import sys

SKIPPED = 77
WORD = 8
LIBC = 64
# By parts of mangled names: what is called through a pointer in this function. Nothing: code of the
# program's, libc's or the next allocator's, which answers for itself.
INDIRECT = {
    "note_direct_volume": ("7observe12_GLOBAL__N_14look",),
    "4heap12count_volume": ("19start_server_if_due",),
    "4heap11count_freed": ("19start_server_if_due",),
    "next_free": (),
    "next_realloc": (),
    "next_usable_size": (),
    "4heap17pages_are_watched": ("_GLOBAL__N_117pages_are_watched",),
    "4heap10pages_stay": ("_GLOBAL__N_117pages_are_watched",),
    "discard_for_watchers": ("_GLOBAL__N_117pages_are_watched",),
    "tell_watchers_of_loss": ("discard_watched", "unmap_watched"),
    "unmap_for_watchers": ("discard_watched", "unmap_watched"),
    "purge_pages": ("discard_watched",),
    "thin_pages": ("discard_watched",),
    "discard_watched": (),
    "unmap_watched": (),
}
# What runs on another stack than its caller's.
ELSEWHERE = ("mmt_raw_thread_main",)

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\s+(?:(?:bnd|notrack|repz|lock)\s+)*(\S+)\s*(.*)$")
TARGET = re.compile(r"<([^>+]+)(\+0x[0-9a-f]+)?>\s*$")
TAKEN = re.compile(r"^\$0x([0-9a-f]+),%rsp$")
GIVEN = re.compile(r"^\$0xf{8,14}([0-9a-f]{2}),%rsp$")  # add -128 is encoded shorter than sub 128


class StackError(Exception):
    """What makes a bound impossible."""


class Function:
    def __init__(self):
        self.frame = 0
        self.calls = set()
        self.is_indirect = False
        self.has_libcs = False  # a pointer to libc's own function of a name (sys/own)


def stem(name):
    return name.split(".cold")[0]


def is_known(name):
    """Its calls through pointers are known, so that a jump is one of them. Else it is one by a switch's table."""
    return any(part in name for part in INDIRECT)


def note(function, name, operation, operands, comment):
    """One instruction of the function; the comment names what it reads."""
    if operation.startswith("push"):
        function.frame += WORD
    elif operation.startswith("sub") and (taken := TAKEN.match(operands)):
        function.frame += int(taken[1], 16)
    elif operation.startswith("add") and (given := GIVEN.match(operands)):
        function.frame += 256 - int(given[1], 16)
    elif operation.startswith("and") and operands == "$0xfffffffffffffff0,%rsp":
        function.frame += WORD
    elif operation.startswith("mov") and "LibcFunction" in comment:
        function.has_libcs = True
    elif operation.startswith(("call", "j")):
        target = TARGET.search(operands)
        if target is None:
            if operation.startswith("call") and function.has_libcs:
                function.calls.add("libc's own function")
            elif operation.startswith("call") or (operation == "jmp" and is_known(name)):
                function.is_indirect = True
            return
        # Into the midst of another function leads only the way back from its cold part.
        leads_away = target[2] is None or ".cold" in target[1]
        if leads_away and target[1] != name and stem(name) != target[1]:
            function.calls.add(target[1])


def read(library):
    functions = {}
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", library], check=True,
                             capture_output=True, text=True).stdout
    name = None
    for line in listing.splitlines():
        if head := FUNCTION.match(line):
            name = head[1]
            functions.setdefault(name, Function())  # clones of one name: the sum of them
        elif name and (instruction := INSTRUCTION.match(line)):
            operands, _, comment = instruction[2].partition("#")
            note(functions[name], name, instruction[1], operands.strip(), comment)
    return functions


def reached(functions, name):
    """What the function calls, pointers included."""
    function = functions[name]
    if not function.is_indirect:
        return function.calls
    for part, callees in INDIRECT.items():
        if part in name:
            return function.calls | {n for n in functions if any(c in n for c in callees)}
    raise StackError(f"{name} calls through a pointer")


def deepest(functions, name, known, path=()):
    """Bytes, and the functions on the way there."""
    if name in path:
        raise StackError("recursion: " + " -> ".join(path[path.index(name):] + (name,)))
    if name in ELSEWHERE:
        return 0, ()
    if name not in functions or "@plt" in name:
        return LIBC, (name,)
    if name not in known:
        below, way = 0, ()
        for callee in reached(functions, name):
            depth, further = deepest(functions, callee, known, path + (name,))
            if WORD + depth > below:
                below, way = WORD + depth, further
        known[name] = functions[name].frame + below, (f"{name} [{functions[name].frame}]", *way)
    return known[name]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, required=True, help="bytes that a function may take")
    parser.add_argument("--verbose", action="store_true", help="show the deepest way of each")
    parser.add_argument("library")
    parser.add_argument("function", nargs="+")
    args = parser.parse_args()
    header = subprocess.run(["objdump", "-f", args.library], check=True, capture_output=True,
                            text=True).stdout
    if "x86-64" not in header:
        print("skipped: not for x86-64")
        return SKIPPED
    functions = read(args.library)
    failed = False
    known = {}
    for name in args.function:
        if name not in functions:
            raise StackError(f"{args.library} has no {name}")
        depth, way = deepest(functions, name, known)
        failed |= depth > args.most
        print(f"{name}: {depth} bytes" + (f", more than {args.most}" if depth > args.most else ""))
        if args.verbose or depth > args.most:
            print("    " + "\n    ".join(way))
    return int(failed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (StackError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"check_stack: {error}")
