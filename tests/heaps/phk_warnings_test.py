#!/usr/bin/env python3
"""libmmt-phk.so warns of what is freed wrongly, goes on, and knows PHKmalloc's options.

Usage: phk_warnings_test.py PROGRAM LIBRARY
"""

import os
import signal
import subprocess
import sys
import unittest

PROGRAM, LIBRARY = sys.argv[1:3]
del sys.argv[1:3]


def run(fault, options=""):
    environment = {**os.environ, "LD_PRELOAD": LIBRARY, "MALLOC_OPTIONS": options}
    return subprocess.run(
        [PROGRAM, fault], env=environment, capture_output=True, text=True, timeout=30, check=False
    )


class PhkWarningsTest(unittest.TestCase):
    def warned(self, fault, says):
        done = run(fault)
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)
        self.assertRegex(done.stderr, rf"^heaps_wrong_frees in free\(\): warning: {says}\n$")

    def test_double_free(self):
        self.warned("double", "chunk is already free")

    def test_within_a_block(self):
        self.warned("inner", r"modified \(chunk-\) pointer")

    def test_within_pages(self):
        self.warned("page", "pointer to wrong page")
        self.warned("crooked", r"modified \(page-\) pointer")

    def test_junk_pointers(self):
        self.warned("low", "junk pointer, too low to make sense")
        self.warned("high", "junk pointer, too high to make sense")

    def test_abort(self):
        done = run("double", "A")
        self.assertEqual(done.returncode, -signal.SIGABRT)
        self.assertIn("error: chunk is already free", done.stderr)

    def test_options(self):
        for fault, options, says in (
            ("junk", "J", "d0"),
            ("empty", "V", "null"),
            ("empty", "", "block"),
            ("moves", "R", "moves"),
            ("moves", "", "stays"),
        ):
            with self.subTest(fault=fault, options=options):
                done = run(fault, options)
                self.assertEqual((done.stdout, done.stderr), (f"{says}\ndone\n", ""))


if __name__ == "__main__":
    unittest.main()
