#!/usr/bin/env python3
"""The programs of the study abt-sbt that run in parallel, on small input: each checks its answer."""

import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import unittest_main

FOLDER = sys.argv.pop()


def run(*words):
    return subprocess.run([f"{FOLDER}/{words[0]}", *words[1:]], capture_output=True, text=True, timeout=60)


class Parallel(unittest.TestCase):
    def expect(self, *words):
        done = run(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        self.assertTrue(done.stdout.rstrip().endswith("ok"), done.stdout)

    def test_replicas(self):
        self.expect("replicas", "--processes", "3", "--operations", "20000")

    def test_transactions(self):
        self.expect("transactions", "--threads", "3", "--transactions", "200", "--sessions", "20")

    @unittest.skipUnless(os.path.exists(f"{FOLDER}/openmp"), "built without OpenMP")
    def test_openmp(self):
        self.expect("openmp", "--rounds", "3", "--records", "500", "--threads", "3")

    def test_wrong_input(self):
        for words in (("replicas", "--live", "0"), ("transactions", "--sessions", "0")):
            self.assertEqual(run(*words).returncode, 1, words)


if __name__ == "__main__":
    unittest_main.main()
