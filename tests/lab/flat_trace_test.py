"""What the laboratory reads of a flat trace is what the simulator has written of it."""

import json
import os
import pathlib
import struct
import subprocess
import unittest

import lab_support
import numpy
from mmt_lab.command.failure import Failure
from mmt_lab.machine.installation import Installation
from mmt_lab.traces import flat, slices

TRACES = lab_support.ROOT / "workloads" / "traces"
REP = "a 0 100\na 1 4294967297\nr 0 300\nf 1\na 2 7\nf 0\n"


class Flat(unittest.TestCase):
    def setUp(self):
        self.installation = Installation(lab_support.MMT, *[pathlib.Path()] * 3)
        self.file = pathlib.Path(f"flat-{os.getpid()}")
        self.addCleanup(self.file.unlink, missing_ok=True)

    def read(self, trace):
        return flat.events_of(self.installation, trace, self.file)

    def written(self, content):
        self.file.write_bytes(content)
        return flat.read(self.file)

    def test_each_event_of_a_small_trace(self):
        rep = pathlib.Path(f"flat-{os.getpid()}.rep")
        self.addCleanup(rep.unlink)
        rep.write_text(f"0\n3\n6\n1\n{REP}")
        events = self.read(rep)
        self.assertEqual(list(events["op"]), [flat.ALLOCATE, flat.ALLOCATE, flat.RESIZE, flat.FREE, flat.ALLOCATE, flat.FREE])
        self.assertEqual([int(one) for one in events["bytes"][[0, 1, 2, 4]]], [100, 2**32 + 1, 300, 7])
        self.assertEqual(len(set(events["row"][:2])), 2)
        self.assertEqual(events["row"][5], events["row"][0])

    def test_counts_and_bytes_of_real_traces(self):
        for trace in sorted(TRACES.glob("*.mtr")):
            with self.subTest(trace=trace.stem):
                events = self.read(trace)
                text = subprocess.run(
                    [lab_support.MMT, "trace", "--export", "rep", trace, "-o", "-"],
                    capture_output=True, check=True, text=True,
                ).stdout  # fmt: skip
                lines = [line.split() for line in text.splitlines()]
                counts = [int(numpy.count_nonzero(events["op"] == one)) for one in (flat.ALLOCATE, flat.FREE, flat.RESIZE)]
                self.assertEqual(counts, [sum(line[0] == sign for line in lines) for sign in "afr"])
                asked = (events["op"] == flat.ALLOCATE) | (events["op"] == flat.RESIZE)
                self.assertEqual(events["bytes"][asked].tolist(), [int(line[2]) for line in lines if line[0] in "ar"])

    def test_a_slice_of_a_real_trace(self):
        part = pathlib.Path(f"flat-{os.getpid()}.json")
        self.addCleanup(part.unlink)
        trace = TRACES / "raytracer.mtr"
        requests = numpy.count_nonzero(self.read(trace)["op"] == flat.ALLOCATE) // 4
        slices.make(self.installation, trace, part, slices.Wanted(requests, requests, 1e5))
        found = json.loads(part.read_text())
        ops = self.read(trace)["op"][found["first"] : found["first"] + found["events"]]
        self.assertEqual(numpy.count_nonzero(ops == flat.ALLOCATE), requests)

    def test_another_layout_is_told(self):
        events = struct.pack("<BBHIQ", 0, 0, 0, 0, 8) * 2
        head = struct.Struct("<8sIIQQQ")
        self.assertEqual(self.written(head.pack(flat.MAGIC, 40, 16, 2, 1, 0) + events)["bytes"].tolist(), [8, 8])
        for content, why in (
            (b"", "is no flat trace that begins with MMTFLAT3"),
            (struct.pack("<8sQQQ", b"MMTFLAT2", 2, 1, 0) + events, "is no flat trace that begins with MMTFLAT3"),
            (head.pack(flat.MAGIC, 48, 16, 2, 1, 0) + events, r"\(48, 16\) bytes, not \(40, 16\)"),
            (head.pack(flat.MAGIC, 40, 24, 2, 1, 0) + events, r"\(40, 24\) bytes, not \(40, 16\)"),
            (head.pack(flat.MAGIC, 40, 16, 2, 1, 0) + events[:-1], "not those of the 2 events"),
            (head.pack(flat.MAGIC, 40, 16, 3, 1, 0) + events, "not those of the 3 events"),
            (head.pack(flat.MAGIC, 40, 16, 2, 0, 0) + events, "of no object"),
            (head.pack(flat.MAGIC, 40, 16, 1, 1, 0) + struct.pack("<BBHIQ", 9, 0, 0, 0, 8), "of no known kind"),
        ):
            with self.subTest(why=why), self.assertRaisesRegex(Failure, why):
                self.written(content)


if __name__ == "__main__":
    lab_support.main()
