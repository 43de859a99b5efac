#!/usr/bin/env python3
"""The programs of controlled experiments, `primitives` and `paced`, and libmmt-lea-delayed.so, on
small input. Times have only lower bounds here: a spin is never shorter than it was told.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

LIBRARY = sys.argv.pop()
FOLDER = sys.argv.pop()
ALONE = {"lock", "minimal_lock", "semaphore", "minimal_semaphore"}
BY_TWO = {f"{one}_contended" for one in ALONE} | {"line", "request", "pthread_request"}


def run(*words, **variables):
    """(the finished process, {metric: value})."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report"
        done = subprocess.run([f"{FOLDER}/{words[0]}", *words[1:]],
                              env=os.environ | variables | {"MMT_BENCH_REPORT": str(report)},
                              capture_output=True, text=True, timeout=100, check=False)
        lines = report.read_text().splitlines() if report.exists() else []
    return done, {key: float(value) for key, value, _ in (one.split() for one in lines)}


class Primitives(unittest.TestCase):
    def test_all_are_reported(self):
        done, metrics = run("primitives", "--pairs", "2000")
        self.assertEqual(done.returncode, 0, done.stderr)
        wanted = ALONE | (BY_TWO if len(os.sched_getaffinity(0)) > 1 else set())
        self.assertLessEqual(wanted, metrics.keys())
        self.assertTrue(all(metrics[one] > 0 for one in wanted), metrics)

    def test_one_cpu_is_enough_for_some(self):
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(before)})
        try:
            done, metrics = run("primitives", "--pairs", "2000")
        finally:
            os.sched_setaffinity(0, before)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(metrics.keys() & (ALONE | BY_TWO), ALONE)


class Paced(unittest.TestCase):
    def test_the_pace_is_kept(self):
        done, metrics = run("paced", "--steps", "500", "--live", "10", "--work-ns", "3000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(metrics["request"], 2900)

    def test_wrong_input(self):
        for words in (["--steps", "0"], ["--live", "0"], ["--bytes", "7"]):
            self.assertEqual(run("paced", *words)[0].returncode, 1, words)


class Delayed(unittest.TestCase):
    def paced(self, delay):
        words = ("--steps", "500", "--live", "10", "--work-ns", "0")
        return run("paced", *words, LD_PRELOAD=LIBRARY, MMT_DELAY_NS=delay)

    def test_each_call_takes_longer(self):
        done, metrics = self.paced("20000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(metrics["request"], 19000)
        self.assertEqual(self.paced("0")[0].returncode, 0)

    def test_what_is_no_number_is_refused(self):
        for wrong in ("", "many", "-5", "1000001", "5x"):
            done, _ = self.paced(wrong)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn(f"mmt: MMT_DELAY_NS: '{wrong}' is no number", done.stderr)

    def test_a_second_thread_sleeps(self):
        def threads(**env):
            status = ["cat", "/proc/self/status"]
            env = {**os.environ, "LD_PRELOAD": LIBRARY, **env}
            done = subprocess.run(status, env=env, capture_output=True, text=True, check=True, timeout=60)
            return re.search(r"^Threads:\t(\d+)$", done.stdout, re.MULTILINE)[1]

        self.assertEqual(threads(), "1")
        self.assertEqual(threads(MMT_IDLE_THREAD="1"), "2")


if __name__ == "__main__":
    unittest.main()
