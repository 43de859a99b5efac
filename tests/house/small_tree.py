"""A small tree of files on which a checker of tools/ runs: good, or with one fault planted in it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run_checker(name, *arguments):
    return subprocess.run(
        [sys.executable, "-B", ROOT / "tools" / name, *arguments],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


class SmallTreeTest(unittest.TestCase):
    """Its subclasses name the checker, and the files of a tree without faults."""

    CHECKER = ""
    GOOD = {}

    def check(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**self.GOOD, **changes}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return run_checker(self.CHECKER, folder)

    def expect_error(self, changes, text):
        result = self.check(changes)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(text, result.stderr)
        self.assertIn(" 1 errors", result.stdout)

    def expect_good(self, changes):
        result = self.check(changes)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout
