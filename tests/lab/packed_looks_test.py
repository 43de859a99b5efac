"""What the explorer of a page is given: nothing is lost where it fits, and it fits where there is much."""

import base64
import json
import unittest
import zlib
from unittest import mock

import lab_support
from mmt_lab.reporters import packed_looks

CURVES = ("event", "used", "live", "free", "free_chunks", "largest_free")
# Four rows and eight columns: outside, free, half in use, full.
MAP = {"rows": 4, "row_bytes": 8, "cells": base64.b64encode(bytes([0, 1, 128, 255] * 8)).decode()}
ONE = {
    "trace": "t",
    "allocator": "a",
    "nodes_searched": {kind: {"histogram": [[1, 2]]} for kind in ("allocation", "free")},
    "series": {name: [3 * at for at in range(8)] for name in CURVES} | {"map": MAP},
}
NODES = [{"at": 16 * at, "bytes": 8, "left": 0, "right": 16 * (at + 1) % 64} for at in (1, 2, 3)]
TREE = {"event": 1, "does": {"kind": "free", "bytes": 8}, "free_chunks": 3, "looked_at": 1,
        "path": [16], "nodes": NODES}  # fmt: skip


def unpacked(one):
    return json.loads(zlib.decompress(base64.b64decode(one["packed"])))


class Packed(unittest.TestCase):
    def test_all_of_it_where_it_fits(self):
        (packed,) = packed_looks.pack([(ONE, TREE)])
        self.assertEqual((packed["trace"], packed["allocator"]), ("t", "a"))
        told = unpacked(packed)
        self.assertEqual(told["series"]["used"], [0] + [3] * 7)
        self.assertEqual(told["series"]["map"]["cells"], ["@" * 8, "A" * 8, "K" * 8, "U" * 8])
        self.assertEqual(told["searches"]["free"], [[1, 2]])
        tree = told["tree"]
        self.assertEqual((tree["at"], tree["right"], tree["path"]), ([16, 16, 16], [1, 1, 0], [0]))

    def test_coarser_where_it_does_not_fit(self):
        with mock.patch.object(packed_looks, "MOST_BYTES", 1):
            told = unpacked(packed_looks.pack([(ONE, TREE)])[0])
        self.assertEqual(told["series"]["used"], [0])
        self.assertEqual(told["series"]["map"]["cells"], ["@", "A", "K", "U"])
        # What was looked at and its children stay.
        self.assertEqual(told["tree"]["at"], [16, 16])
        self.assertEqual(told["tree"]["path"], [0])

    def test_without_curves_and_tree(self):
        told = unpacked(packed_looks.pack([(ONE, None)])[0])
        self.assertIsNone(told["tree"])
        bare = {name: value for name, value in ONE.items() if name != "series"}
        self.assertIsNone(unpacked(packed_looks.pack([(bare, None)])[0])["series"])


if __name__ == "__main__":
    lab_support.main()
