#!/usr/bin/env python3
"""The order of docs/folders.toml as floors: each folder, or room of src/heap, stands above all that it may
include. Prints a Markdown table, the top floor first, as in docs/ARCHITECTURE.md."""

import functools
import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def floors(above):
    """[[name]] from the ground up; `above`: {name: [names that it may include]}, without a circle."""

    @functools.cache
    def floor(name):
        return 1 + max(map(floor, above[name]), default=-1)

    found = [[] for _ in range(1 + max(map(floor, above)))]
    for name in above:
        found[floor(name)].append(name)
    return found


def rows(law):
    order = {name: table.get("above", []) for name, table in law["folders"].items()}
    rooms = {name: " > ".join(map(", ".join, reversed(floors(table)))) for name, table in law["rooms"].items()}
    for names in reversed(floors(order)):
        cells = [f"`{name}` ({rooms[name]})" if name in rooms else f"`{name}`" for name in names]
        yield f"| {', '.join(cells)} |"


def main():
    law = tomllib.loads((ROOT / "docs/folders.toml").read_text(encoding="utf-8"))
    print("| floors, the top one first |", "|---|", *rows(law), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
