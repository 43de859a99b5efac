#!/usr/bin/env python3
"""README.md: every command that it shows works and prints what is shown."""

import os
import re
import subprocess
import sys
import unittest

from console import MMT, ROOT, Pages, commands

README = (ROOT / "README.md").read_text(encoding="utf-8")


class Readme(unittest.TestCase, Pages):
    def test_commands_print_what_is_shown(self):
        self.assertGreaterEqual(len(commands(README)), 3, "README.md has lost its commands")
        self.check_page("README.md", ROOT)

    def test_the_fresh_machine_runs_the_commands(self):
        shown = subprocess.check_output([ROOT / "tools/fresh_machine.sh", "--show"], text=True)
        self.assertEqual(shown, "make demo\nmake test\nmake install\n")

    def test_commands_of_tables_are_known(self):
        suites = {path.stem for path in (ROOT / "workloads/suites").glob("*.json")}
        shown = re.findall(r"`mmt bench ([a-z]+)`", README)
        self.assertEqual(len(shown), 6, "six numbers, each with its command")
        self.assertLessEqual(set(shown), suites)


if __name__ == "__main__":
    if not os.access(MMT, os.X_OK):
        sys.exit(f"there is no program '{MMT}': set MMT_TEST_BINARY")
    unittest.main(verbosity=2)
