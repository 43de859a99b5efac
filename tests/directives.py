#!/usr/bin/env -S python3 -S
"""The directives in the heads of tests' sources, which run_preloaded.py lists, and where a test means
nothing by them. Prints for preload_tests.cmake, a line a source: its name, and those allocators where
it means nothing. An allocator is LIBRARY, or LIBRARY+DEPOT for one behind a protocol.

    directives.py ALLOCATOR,ALLOCATOR... SOURCE...
"""

import os
import re
import sys

FREEING_AT_ONCE = ("-mmt.so", "-sync.so")  # of the protocols
DIRECTIVE = re.compile(r"^\s*(?://|#)\s*@([a-z-]+)(?:\[(\w+)\])?(?:\s+(.*?))?\s*$")


class Expectation:
    """The directives of one source, resolved for one kind of allocator."""

    def __init__(self, source, kind):
        self.values = {}
        tagged = {}
        if source:
            with open(source, encoding="utf-8") as f:
                for line in list(f)[:60]:
                    m = DIRECTIVE.match(line)
                    if not m:
                        continue
                    name, tag, value = m.group(1), m.group(2), m.group(3) or ""
                    if tag is None:
                        self.values.setdefault(name, []).append(value)
                    elif tag == kind:
                        tagged.setdefault(name, []).append(value)
        self.values.update(tagged)

    def all(self, name):
        return self.values.get(name, [])

    def one(self, name, default=None):
        return self.values[name][-1] if name in self.values else default


def allocator_kind(lib):
    if lib is None:
        return "glibc"
    name = os.path.basename(lib)
    if name.startswith("libmmt-protocol-"):
        return "protocol"
    return "mmt" if name == "libmmt.so" else "layered" if name.startswith("libmmt-") else "peer"


def means_nothing(expect, kind, lib, heap):
    """Whether a test speaks of what this allocator does not have."""
    if "only" in expect.values and kind not in expect.one("only").split():
        return True
    if kind not in ("layered", "protocol"):
        return False
    if kind == "protocol" and "freed-at-once" in expect.values and not lib.endswith(FREEING_AT_ONCE):
        return True
    file = os.path.basename(heap or "glibc")
    name = file.removeprefix("libmmt-").removesuffix(".so").removesuffix("-offloaded")
    without = expect.one("without", "").partition("(")[0].split()
    return ("memory-thread" in expect.values or name in without
            or ("offloaded" in without and file.endswith("-offloaded.so"))
            or ("layered" in without and file.startswith("libmmt-")))


def main(allocators, sources):
    all_of = [(name, *name.split("+")) if "+" in name else (name, name, None) for name in allocators.split(",")]
    for source in sources:
        expects = {kind: Expectation(source, kind) for kind in ("mmt", "layered", "protocol")}
        void = []
        for name, lib, depot in all_of:
            kind = allocator_kind(lib)
            if means_nothing(expects[kind], kind, lib, depot if kind == "protocol" else lib):
                void.append(name)
        print(os.path.basename(source).partition(".")[0], *void)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
