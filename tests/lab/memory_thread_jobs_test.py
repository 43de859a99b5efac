"""tools/memory_thread_jobs.py: one program with one job of the memory thread off at a time."""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import lab_support

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import memory_thread_jobs as jobs  # noqa: E402


def told_of(*words):
    words = [ROOT / "tools/memory_thread_jobs.py", "--binary", os.environ["MMT_TEST_BINARY"], "--rounds", "1", *words]
    env = lab_support.clean_environment()
    return subprocess.run(words, capture_output=True, text=True, timeout=300, check=False, env=env)


class Jobs(unittest.TestCase):
    def test_each_way_is_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder, "samples.csv")
            done = told_of("--only", "maps", "--csv", table)
            self.assertEqual(done.returncode, 0, done)
            with table.open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual([(row["program"], row["off"]) for row in rows], [("growth/maps", off) for off in jobs.WAYS])
        # A heap that grows: only the thread makes memory resident ahead, where it may.
        ahead = {row["off"]: float(row["small_mib"]) + float(row["huge_mib"]) for row in rows}
        self.assertEqual((ahead["prefault"], ahead["all"]), (0, 0))
        self.assertEqual({row["off"]: float(row["huge_mib"]) for row in rows}["huge pages"], 0)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 2 + len(jobs.WAYS))
        self.assertIn("| growth/maps | all | 1.00 | 1.00 | 0 ms | 0 | 0, 0 MiB |", lines[-1])

    def test_what_cannot_be_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            done = told_of("--csv", folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertIn("cannot open", done.stderr)
        done = told_of("--only", "nobody")
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        self.assertIn("nobody", done.stderr)


if __name__ == "__main__":
    unittest.main()
