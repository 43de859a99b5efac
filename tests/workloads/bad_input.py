#!/usr/bin/env python3
"""What workload programs say to wrong flags and to a report that cannot be written."""

import os
import subprocess
import sys
import unittest

FOLDER = sys.argv.pop()


def run(*words, **environment):
    return subprocess.run([f"{FOLDER}/{words[0]}", *words[1:]], env=os.environ | environment,
                          capture_output=True, text=True, timeout=60, check=False)


class BadInput(unittest.TestCase):
    def expect(self, result, status, text):
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(text, result.stderr)

    def test_unknown_flag(self):
        self.expect(run("churn", "--stepz", "3"), 2, "churn: unknown argument '--stepz'")

    def test_not_a_number(self):
        self.expect(run("churn", "--steps=many"), 2, "--steps: 'many' is not a number")
        self.expect(run("churn", "--steps=99999999999G"), 2, "is not a number")

    def test_missing_value(self):
        self.expect(run("churn", "--steps"), 2, "--steps needs a value")

    def test_not_a_choice(self):
        self.expect(run("churn", "--sizes=odd"), 2, "--sizes: 'odd' is not one of ")

    def test_last_flag_wins(self):
        result = run("churn", "--steps=many", "--steps=1000", "--slots=10")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_places_that_nodes_cannot_have(self):
        for flag, value in (("stride", 20), ("stride", 1 << 63), ("offset", 2**64 - 8), ("nodes", 2**64 - 1)):
            self.expect(run("placed", f"--{flag}={value}"), 1, f"placed: wrong: --{flag}")
        for hole in (0, 7):
            self.assertEqual(run("placed", "--nodes=1000", f"--hole={hole}", "--offset=16").returncode, 0)

    def test_what_oracles_would_pass_over(self):
        for words in (("--threads", "3"), ("--threads=1",), ("--size", "native"), ("--sequential",)):
            said = run("stm/stamp", "--oracles", "--application", "kmeans", *words)
            self.expect(said, 2, f"{words[0]} does not apply")
            self.assertEqual(said.stdout, "")
        self.expect(run("stm/stamp", "--oracles", "--application=none"), 2, "'none' is not one of ")

    def test_a_time_of_nothing(self):
        for words in (("--milliseconds", "0"), ("--milliseconds=0",), ("--milliseconds=0", "--operations=5")):
            said = run("stm/synthetic", *words)
            self.expect(said, 2, "synthetic: --milliseconds is at least 1")
            self.assertEqual(said.stdout, "")

    def test_unwritable_report(self):
        for path in ("/nonexistent/report", "/dev/full"):
            result = run("fastpath", "--pairs=100", MMT_BENCH_REPORT=path)
            self.expect(result, 1, f"fastpath: cannot write {path}")

    def test_help(self):
        result = run("large", "--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("--realloc", result.stdout)


if __name__ == "__main__":
    unittest.main()
