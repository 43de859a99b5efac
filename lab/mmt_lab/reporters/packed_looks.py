"""What the explorer shows of each model on each trace, packed for a page. Numbers are differences,
the heap map is letters, and all of it is deflated. A page with more than fits gets coarser looks.
"""

import base64
import json
import zlib

MOST_BYTES = 700 << 10  # of all looks together
_COARSEST = 3
# Use of a cell of the heap map in steps of five percent, from this letter; the one before: outside.
_LETTER, _STEPS = ord("A"), 20
_OUTSIDE = chr(_LETTER - 1)


def pack(looks):
    """[{"trace", "allocator", "packed": base64}]. `looks`: [(result, tree or None)]."""
    for coarseness in range(_COARSEST + 1):
        packed = [_packed(one, tree, coarseness) for one, tree in looks]
        if sum(len(one["packed"]) for one in packed) <= MOST_BYTES:
            break
    return packed


def _packed(one, tree, coarseness):
    shown = {
        "searches": {kind: one["nodes_searched"][kind]["histogram"] for kind in ("allocation", "free")},
        "series": _series(one["series"], 1 << coarseness) if "series" in one else None,
        "tree": _tree(tree, coarseness) if tree else None,
    }
    data = zlib.compress(json.dumps(shown, separators=(",", ":"), allow_nan=False).encode(), 9)
    names = {name: one[name] for name in ("trace", "allocator")}
    return names | {"packed": base64.b64encode(data).decode()}


def differences(values):
    """The difference of each to the one before it."""
    return [value - before for value, before in zip(values, [0, *values], strict=False)]


def _series(series, step):
    """Every `step`th sample."""
    packed = {name: differences(series[name][::step])
              for name in ("event", "used", "live", "free", "free_chunks", "largest_free")}  # fmt: skip
    if heap := series.get("map"):
        packed["map"] = {"rows": heap["rows"], "row_bytes": heap["row_bytes"], "cells": _letters(heap, step)}
    return packed


def _letters(heap, step):
    """A letter a cell, a string a row: what lies side by side on the map is alike."""
    cells, rows = base64.b64decode(heap["cells"]), heap["rows"]
    return ["".join(_letter(cell) for cell in cells[row :: rows * step]) for row in range(rows)]


def _letter(cell):
    return chr(_LETTER + round((cell - 1) * _STEPS / 254)) if cell else _OUTSIDE


def _tree(tree, coarseness):
    nodes = tree["nodes"]
    if coarseness:  # what the search saw, and what hangs on it
        seen = set(tree["path"])
        seen |= {one[side] for one in nodes if one["at"] in seen for side in ("left", "right")}
        nodes = [one for one in nodes if one["at"] in seen]
    places = {one["at"]: number for number, one in enumerate(nodes)}
    packed = {name: tree[name] for name in ("event", "does", "free_chunks", "looked_at")}
    packed["at"] = differences([one["at"] for one in nodes])
    packed["bytes"] = [one["bytes"] for one in nodes]
    for side in ("left", "right"):  # how far away it stands in the list; 0: it is not there
        packed[side] = [places.get(one[side], here) - here for here, one in enumerate(nodes)]
    packed["path"] = differences([places[at] for at in tree["path"] if at in places])
    return packed
