"""Memory that a program's heap asked of the OS, at its highest, from the log of strace.

Counted are growth of the break and accessible anonymous mappings: the paper's high-water mark "of
memory requested from the operating system". Thread stacks, address space that is only reserved
(PROT_NONE), and mappings that the dynamic linker makes are not counted, because no heap asked for
them. The linker's code is mapped by the kernel, so a call from outside of every mapped file's code
is its own. Only the first process of the program counts, with all its threads. docs/laboratory.md
says how close this is.
"""

import bisect
import dataclasses
import re

PAGE = 4096
CALLS = "brk,mmap,munmap,mremap,mprotect,clone,clone3,fork,vfork,execve"
OPTIONS = ("-f", "--seccomp-bpf", "-qq", "-y", "-i", "-s", "0")

_LINE = re.compile(r"^(?:(\d+) +)?\[([0-9a-f?]+)\] (\w+)\((.*)\) += (0x[0-9a-f]+|-?\d+)")
_UNFINISHED = re.compile(r"^(?:(\d+) +)?(\[[0-9a-f?]+\] .*) <unfinished \.\.\.>$")
_RESUMED = re.compile(r"^(?:(\d+) +)?\[[0-9a-f?]+\] <\.\.\. \w+ resumed>(.*)$")


def _pages(size):
    return (size + PAGE - 1) // PAGE * PAGE


class Ranges:
    """A set of addresses, as sorted ranges that do not touch."""

    def __init__(self):
        self._starts, self._ends = [], []

    def total(self):
        return sum(self._ends) - sum(self._starts)

    def remove(self, start, end):
        first = bisect.bisect_right(self._ends, start)
        last = bisect.bisect_left(self._starts, end)
        starts, ends = [], []
        if first < last and self._starts[first] < start:
            starts.append(self._starts[first])
            ends.append(start)
        if first < last and self._ends[last - 1] > end:
            starts.append(end)
            ends.append(self._ends[last - 1])
        self._starts[first:last] = starts
        self._ends[first:last] = ends

    def add(self, start, end):
        self.remove(start, end)
        at = bisect.bisect_left(self._starts, start)
        self._starts.insert(at, start)
        self._ends.insert(at, end)

    def within(self, start, end):
        """The parts of start..end that are in the set."""
        at = bisect.bisect_right(self._ends, start)
        while at < len(self._starts) and self._starts[at] < end:
            yield max(start, self._starts[at]), min(end, self._ends[at])
            at += 1

    def holds(self, address):
        at = bisect.bisect_right(self._starts, address) - 1
        return at >= 0 and address < self._ends[at]


@dataclasses.dataclass
class Requested:
    peak: int = 0
    by_break: int = 0  # the highest break, above its start
    calls: int = 0  # of the heap, that changed something
    files: tuple = ()  # mapped with code in them


class _AddressSpace:
    def __init__(self):
        self._code = Ranges()  # of mapped files
        self._heap = Ranges()  # anonymous, by the heap, also what is only reserved
        self._open = Ranges()  # of these, what may be accessed
        self._base = self._break = None
        self._files = {}
        self.result = Requested()

    def call(self, at, name, arguments, value):
        getattr(self, f"_{name}")(at, arguments, value)
        by_break = (self._break or 0) - (self._base or 0)
        self.result.by_break = max(self.result.by_break, by_break)
        self.result.peak = max(self.result.peak, by_break + self._open.total())
        self.result.files = tuple(self._files)

    def _brk(self, _at, _arguments, value):
        if self._base is None:
            self._base = value
        self.result.calls += value != (self._break or value)
        self._break = value

    def _mmap(self, at, arguments, start):
        size, protection, flags, file = _pages(int(arguments[1])), *arguments[2:5]
        end = start + size
        for known in (self._code, self._heap, self._open):
            known.remove(start, end)  # MAP_FIXED replaces what was there
        if "MAP_ANONYMOUS" not in flags:
            if "PROT_EXEC" in protection:
                self._code.add(start, end)
                self._files[file.partition("<")[2].rstrip(">")] = None
        elif "MAP_STACK" not in flags and self._code.holds(at):
            self.result.calls += 1
            self._heap.add(start, end)
            if protection != "PROT_NONE":
                self._open.add(start, end)

    def _munmap(self, _at, arguments, _value):
        start = int(arguments[0], 16)
        end = start + _pages(int(arguments[1]))
        self.result.calls += any(True for _ in self._heap.within(start, end))
        for known in (self._code, self._heap, self._open):
            known.remove(start, end)

    def _mremap(self, _at, arguments, moved):
        start, size, wanted = int(arguments[0], 16), _pages(int(arguments[1])), int(arguments[2])
        for known in (self._heap, self._open):
            if known.holds(start):
                known.remove(start, start + size)
                known.add(moved, moved + _pages(wanted))
                self.result.calls += 1

    def _mprotect(self, _at, arguments, _value):
        start = int(arguments[0], 16)
        end = start + _pages(int(arguments[1]))
        for part in list(self._heap.within(start, end)):
            if arguments[2] == "PROT_NONE":
                self._open.remove(*part)
            else:
                self._open.add(*part)


def _joined(lines):
    """Whole lines: a call that another thread interrupted is logged in two pieces."""
    begun = {}
    for line in lines:
        line = line.rstrip("\n")
        if found := _UNFINISHED.match(line):
            begun[found[1]] = found[2]
        elif found := _RESUMED.match(line):
            if found[1] in begun:
                prefix = f"{found[1]} " if found[1] else ""
                yield f"{prefix}{begun.pop(found[1])}{found[2]}"
        else:
            yield line


def _calls(lines):
    for line in _joined(lines):
        found = _LINE.match(line)
        if found and int(found[5], 0) >= 0:
            yield found[1], found[2], found[3], found[4], int(found[5], 0)


def _threads(calls):
    """The threads of the first process. A thread's calls may be logged before the call that made it returns."""
    members = set()
    for thread, _, name, text, value in calls:
        if name == "execve" and not members:
            members.add(thread)
        elif thread in members and "CLONE_THREAD" in text:
            members.add(str(value))
    return members


def parse(lines):
    """What the program of a log of strace asked for; its options must be OPTIONS."""
    calls = list(_calls(lines))
    members = _threads(calls)
    space = _AddressSpace()
    for thread, at, name, text, value in calls:
        if thread not in members:
            continue
        if name == "execve":
            space = _AddressSpace()  # a new program
        elif name not in ("clone", "clone3", "fork", "vfork"):
            space.call(int(at, 16), name, [one.strip() for one in text.split(", ")], value)
    return space.result
