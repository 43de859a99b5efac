#!/usr/bin/env python3
"""`mmt run --guard` from outside: what is reported of faulty programs, and nothing of good ones."""

import bisect
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from support import mmt, unittest_main

PROGRAM = os.environ.get("MMT_TEST_PROGRAM", "build/release/tests/guard/faulty")
RATE = 100
MOST_PLACES = 256
FIRST_LINE = re.compile(r"^mmt: ([a-z-]+): block 0x[0-9a-f]+ of (\d+) bytes: (.*)$")
AT_THE_END = re.compile(r"^mmt:   allocated (on thread \d+|\d+ ms ago at most)")
FRAME = re.compile(r"^mmt:   (found by|allocated by|freed by|  at) 0x[0-9a-f]+ \((.*)\+(0x[0-9a-f]+)\)$")


def guarded(case, *flags):
    return mmt("run", f"--guard={RATE}", *flags, "--", PROGRAM, case)


def function_names():
    """Tells which function of the program an offset of its file lies in."""
    listed = subprocess.run(["nm", "-n", PROGRAM], check=True, capture_output=True, text=True).stdout
    symbols = [(int(words[0], 16), words[2]) for words in map(str.split, listed.splitlines()) if len(words) == 3]
    starts = [start for start, _ in symbols]
    return lambda offset: symbols[bisect.bisect_right(starts, offset) - 1][1]


class Report:
    """A first line, and the frames of each stack as functions of the program."""

    def __init__(self, line):
        self.kind, self.bytes, self.text = FIRST_LINE.match(line).groups()
        self.stacks = {}


def reports_of(text, test):
    name_of = function_names()
    reports = []
    frames = []
    for line in text.splitlines():
        if FIRST_LINE.match(line):
            reports.append(Report(line))
        elif AT_THE_END.match(line):
            continue
        else:
            test.assertRegex(line, FRAME)
            word, module, offset = FRAME.match(line).groups()
            if word != "  at":
                frames = reports[-1].stacks[word] = []
            is_own = os.path.basename(module) == os.path.basename(PROGRAM)
            frames.append(name_of(int(offset, 16) - 1) if is_own else os.path.basename(module))
    return reports


class GuardTest(unittest.TestCase):
    def check_reported(self, case, kinds, found_in):
        result = guarded(case)
        self.assertEqual(result.out, "done\n", result)
        self.assertEqual(result.status, 1, result)
        reports = reports_of(result.err, self)
        self.assertGreater(len(reports), 20)
        self.assertLessEqual(len(reports), MOST_PLACES)
        self.assertLessEqual({report.kind for report in reports}, set(kinds))
        self.assertIn(kinds[0], {report.kind for report in reports})
        for report in reports:
            self.assertEqual(report.stacks["allocated by"][:2], ["make_block", "make_indirectly"])
            self.assertIn("main", report.stacks["allocated by"])
            self.assertIn(report.stacks["found by"][0], found_in)
            self.assertIn("main", report.stacks["found by"])
        return reports

    def test_overflow(self):
        reports = self.check_reported("overflow", ["overflow"], ["overflow"])
        self.assertEqual({report.text for report in reports}, {"it is being read beyond its end"})

    def test_write_beyond_the_end_on_the_page(self):
        reports = self.check_reported("slack", ["overflow"], ["drop_block"])
        self.assertEqual({report.text for report in reports}, {"it was written beyond its end"})

    def test_read_beyond_the_end(self):
        self.check_reported("overread", ["overflow"], ["overread"])

    def test_underflow(self):
        reports = self.check_reported("underflow", ["underflow"], ["underflow", "drop_block"])
        texts = {report.text for report in reports}
        self.assertEqual(texts, {"it is being written before its beginning", "it was written before its beginning"})

    def test_read_after_free(self):
        for report in self.check_reported("read-after-free", ["read-after-free"], ["read_after_free"]):
            self.assertEqual(report.stacks["freed by"][:2], ["drop_block", "read_after_free"])

    def test_write_after_free(self):
        for report in self.check_reported("write-after-free", ["write-after-free"], ["write_after_free"]):
            self.assertEqual(report.stacks["freed by"][:2], ["drop_block", "write_after_free"])

    def test_double_free(self):
        self.check_reported("double-free", ["double-free"], ["drop_block"])

    def test_free_of_an_inner_address(self):
        self.check_reported("invalid-free", ["invalid-free"], ["drop_block"])

    def test_realloc_of_a_freed_block(self):
        self.check_reported("stale-realloc", ["double-free"], ["stale_realloc"])

    def test_good_programs(self):
        for case in ("good", "good-threads", "good-exchange", "good-forks", "good-handler", "good-signals"):
            with self.subTest(case=case):
                result = guarded(case)
                self.assertEqual((result.status, result.out, result.err), (0, "done\n", ""))

    def test_every_allocation_may_be_guarded(self):
        for rate in (1, 2):
            result = mmt("run", f"--guard={rate}", "--", PROGRAM, "good")
            self.assertEqual((result.status, result.err), (0, ""))

    def test_threads(self):
        result = guarded("threads")
        self.assertEqual((result.status, result.out), (1, "done\n"))
        for report in reports_of(result.err, self):
            self.assertIn(report.kind, ("read-after-free", "write-after-free", "double-free"))
            self.assertEqual(report.stacks["allocated by"][0], "make_block")

    def test_child(self):
        result = guarded("child")
        self.assertEqual((result.status, result.out), (0, "done\n"))
        self.assertEqual({report.kind for report in reports_of(result.err, self)}, {"read-after-free"})

    def test_own_handler(self):
        self.check_reported("handler", ["read-after-free"], ["read_after_free"])

    def test_crash_of_the_program(self):
        result = guarded("crash")
        self.assertEqual((result.status, result.err), (128 + 11, ""))

    def test_what_follows(self):
        for after, status, most in (("abort", 128 + 6, 1), ("exit", 1, MOST_PLACES), ("count", 0, MOST_PLACES)):
            with self.subTest(after=after):
                result = guarded("double-free", f"--harden-after={after}")
                self.assertEqual(result.status, status)
                self.assertLessEqual(len(reports_of(result.err, self)), most)

    def test_file_of_reports(self):
        with tempfile.TemporaryDirectory() as folder:
            guarded("read-after-free", f"--harden-report={folder}/reports")
            lines = pathlib.Path(folder, "reports").read_text(encoding="utf-8").splitlines()
        self.assertGreater(len(lines), 20)
        for line in map(json.loads, lines):
            self.assertEqual((line["kind"], line["bytes"]), ("read-after-free", 40))
            for word in ("allocated", "freed", "found"):
                frames = line[f"{word}_stack"]
                self.assertEqual(frames[0], line[word])
                self.assertLessEqual({"address", "module", "offset"}, set(frames[0]))
                self.assertGreaterEqual(len(frames), 2)
                self.assertGreater(line[f"{word}_thread"], 0)

    def test_options_in_the_name_of_an_allocator(self):
        allocator = json.loads(mmt("resolve", "mmt:guard=7").out)["allocators"][0]
        self.assertEqual(os.path.basename(allocator["serves_malloc"]), "libmmt-guard.so")
        self.assertEqual(allocator["environment"], {"MMT_GUARD": "7"})
        allocator = json.loads(mmt("resolve", "mmt:guard=0").out)["allocators"][0]
        self.assertEqual(os.path.basename(allocator["serves_malloc"]), "libmmt.so")
        self.assertIn("one of harden and guard", mmt("resolve", "mmt:guard=7,harden=sync").err)

    def test_other_heaps_are_refused(self):
        for flags in (["--harden"], ["--heap=lea"], ["--backend=glibc"], ["--protocol=sync"]):
            with self.subTest(flags=flags):
                result = guarded("good", *flags)
                self.assertEqual((result.status, result.out), (125, ""))
                self.assertRegex(result.err, r"^mmt: --guard is of the native heap alone: give it without --\w+")
        result = mmt("run", "--guard=few", "--", PROGRAM, "good")
        self.assertEqual(result.status, 125)
        self.assertIn("few", result.err)


if __name__ == "__main__":
    unittest_main.main()
