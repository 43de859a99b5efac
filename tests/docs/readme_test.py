#!/usr/bin/env python3
"""The commands of README.md work.

Commands are the lines of README.md's `console` blocks that begin with `$ build/release/bin/mmt`.
They run in the project's folder, with the program that MMT_TEST_BINARY names.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = "build/release/bin/mmt"
MMT = os.path.abspath(os.environ.get("MMT_TEST_BINARY", ROOT / PROGRAM))
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
TIME_LIMIT = 240  # seconds


def commands(text):
    """The runnable commands, each as it is written, without the prompt."""
    lines = [line for block in BLOCK.findall(text) for line in block.splitlines()]
    return [line[2:] for line in lines if line.startswith(f"$ {PROGRAM} ")]


def run(command):
    """Runs one command; the finished process."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MMT_", "LD_PRELOAD"))}
    return subprocess.run(
        shlex.quote(MMT) + command[len(PROGRAM):],
        shell=True,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )


class Readme(unittest.TestCase):
    def test_commands_succeed(self):
        found = commands((ROOT / "README.md").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(found), 5, "README.md has lost its commands")
        for command in found:
            with self.subTest(command=command):
                done = run(command)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotEqual(done.stdout, "")

    def test_the_fresh_machine_runs_the_two_commands(self):
        shown = subprocess.check_output([ROOT / "tools/fresh_machine.sh", "--show"], text=True)
        self.assertEqual(shown, "make demo\nmake test\n")

    def test_every_verb_is_named(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        help_text = run(f"{PROGRAM} --help").stdout
        verbs = re.findall(r"^  ([a-z]+) {2,}", help_text.split("Subcommands:")[1], re.MULTILINE)
        self.assertIn("run", verbs)
        for verb in verbs:
            self.assertRegex(text, rf"`mmt {verb}[ `]")


if __name__ == "__main__":
    if not os.access(MMT, os.X_OK):
        sys.exit(f"there is no program '{MMT}': set MMT_TEST_BINARY")
    unittest.main(verbosity=2)
