#!/usr/bin/env python3
"""Reads a trace of TraceHeap (the format is in its header) and tells the faults that it shows.

A line each, in the order of the trace: double and invalid frees with the block's size and the
places. Then comes what is in use at the end, by place. Ends with a line of totals.
"""

import collections
import sys


class TraceError(Exception):
    """The trace is not what its format says."""


Given = collections.namedtuple("Given", "size place")
Freed = collections.namedtuple("Freed", "size allocated freed")


class Reader:
    def __init__(self):
        self.places = {}
        self.live = {}
        self.freed = {}
        self.faults = []
        self.counts = collections.Counter()
        self.peak = self.bytes = 0
        self.has_ended = False

    def read(self, lines):
        for number, line in enumerate(lines, 1):
            try:
                self._line(number, line.rstrip("\n"))
            except (ValueError, KeyError, TypeError) as error:
                raise TraceError(f"line {number}: {line.rstrip()}: {error!r}") from error
        return self

    def _line(self, number, line):
        operation, _, rest = line.partition(" ")
        if (operation == "t") != (number == 1) or self.has_ended:
            raise ValueError("out of place")
        if operation == "p":
            place, _, frames = rest.partition(" ")
            self.places[int(place)] = frames
            return
        self.counts[operation] += 1
        fields = rest.split()
        {"t": self._begin, "m": self._malloc, "a": self._allocate, "f": self._free,
         "e": self._expand, "c": self._clear, "x": self._end}[operation](*fields)

    def _begin(self, version):
        if version != "1":
            raise ValueError("a format of another version")

    def _place(self, number):
        return None if number is None else self.places[int(number)]

    def _malloc(self, address, size, place=None):
        at = int(address, 16)
        if at == 0:
            self.counts["refused"] += 1
            return
        if at in self.live:
            self.faults.append(f"{address} given out twice")
        self.live[at] = Given(int(size), self._place(place))
        self.freed.pop(at, None)
        self._grow(int(size))

    def _allocate(self, address, size, alignment, place=None):
        if int(address, 16) % int(alignment) != 0:
            self.faults.append(f"{address} is not aligned to {alignment}")
        self._malloc(address, size, place)

    def _free(self, address, place=None):
        at, here = int(address, 16), self._place(place)
        block = self.live.pop(at, None)
        if block is not None:
            self.freed[at] = Freed(block.size, block.place, here)
            self.bytes -= block.size
        elif at in self.freed:
            before = self.freed[at]
            self.faults.append(
                f"double free of {address} of {before.size} bytes in {here}; "
                f"freed in {before.freed}; allocated in {before.allocated}")
        else:
            self.faults.append(f"invalid free of {address} in {here}")

    def _expand(self, address, size, _place=None):
        block = self.live[int(address, 16)]
        self.live[int(address, 16)] = block._replace(size=max(block.size, int(size)))
        self._grow(max(int(size) - block.size, 0))

    def _clear(self):
        self.live.clear()
        self.bytes = 0

    def _end(self):
        self.has_ended = True

    def _grow(self, size):
        self.bytes += size
        self.peak = max(self.peak, self.bytes)

    def leaks(self):
        """(bytes, blocks, place) of what is in use, most bytes first."""
        by_place = collections.defaultdict(list)
        for block in self.live.values():
            by_place[block.place].append(block.size)
        found = [(sum(sizes), len(sizes), place) for place, sizes in by_place.items()]
        return sorted(found, key=lambda leak: (-leak[0], str(leak[2])))


def main():
    with open(sys.argv[1], encoding="ascii") as lines:
        reader = Reader().read(lines)
    for fault in reader.faults:
        print(fault)
    for size, blocks, place in reader.leaks():
        print(f"leak of {size} bytes in {blocks} blocks allocated in {place}")
    counts = reader.counts
    print(f"{counts['m'] + counts['a'] - counts['refused']} given, {counts['refused']} refused, "
          f"{counts['f']} frees, {counts['e']} grown, {counts['c']} clears, "
          f"peak {reader.peak} bytes, {'complete' if reader.has_ended else 'cut off'}")


if __name__ == "__main__":
    try:
        main()
    except (TraceError, OSError, UnicodeDecodeError, IndexError) as problem:
        sys.exit(f"read_trace: {problem}")
