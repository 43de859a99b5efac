#!/usr/bin/env python3
"""README.md: every command that it shows works and prints what is shown."""

import json
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
        self.assertEqual(
            shown, "make test STAGES=quick\nmake demo\nmake test\nmake install\nmake uninstall\n"
        )

    def test_help_names_every_goal_and_flag(self):
        told = subprocess.check_output(["make", "-s", "-C", ROOT, "help"], text=True)
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        goals = re.search(r"\.PHONY: all build ((?:.*\\\n)*.*)", makefile)[1].replace("\\\n", " ").split()
        self.assertGreater(len(goals), 8)
        for goal in goals:
            self.assertRegex(told, rf"\bmake {goal}\b")
        script = ROOT / "tools/fresh_machine.sh"
        told = subprocess.check_output([script, "--help"], text=True)
        for flag in re.findall(r"^    (--[\w-]+)\)", script.read_text(encoding="utf-8"), re.MULTILINE):
            self.assertIn(f"    {flag} ", told)
        done = subprocess.run([script, "--nonsense"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("--help", done.stderr)

    def test_commands_of_tables_are_known(self):
        suites = {path.stem: json.loads(path.read_text(encoding="utf-8"))
                  for path in (ROOT / "workloads/suites").glob("*.json")}  # fmt: skip
        shown = re.findall(r"`mmt bench ([a-z]+)(?: --only (\w+))?`", README)
        self.assertGreater(len(shown), 5, "the table has a command a row")
        for suite, program in shown:
            with self.subTest(suite=suite, program=program):
                self.assertIn(program, ["", *(one["name"] for one in suites[suite]["programs"])])

    def test_the_table_is_the_one_of_its_command(self):
        kept = re.search(r"^<!-- figures: (\S+) (\w+) -->\n\n((?:\|.*\n)+)", README, re.MULTILINE)
        printed = subprocess.check_output([sys.executable, "-B", ROOT / kept[1], kept[2]], text=True)
        self.assertEqual(kept[3], printed)

    def test_costs_are_those_of_the_figures(self):
        done = subprocess.check_output([sys.executable, "-B", ROOT / "tools/figures_table.py", "costs"], text=True)
        self.assertIn(done, README)

    def test_versions_are_those_of_the_figures(self):
        done = subprocess.check_output([sys.executable, "-B", ROOT / "tools/figures_table.py", "runs"], text=True)
        versions = re.match(r"### Beside (.+)\n", done)[1]
        self.assertIn(versions, " ".join(README.split()))

    def test_where_commands_run_is_said_first(self):
        """They name files of the clone, which are not installed."""
        said = README.index("Commands below run there;")
        self.assertLess(said, README.index("workloads/"))
        self.assertLess(said, README.index("`tools/"))

    def test_what_the_commands_need_is_said_first(self):
        self.assertIn("`make workloads`", README[: README.index("<!-- figures:")])


if __name__ == "__main__":
    if not os.access(MMT, os.X_OK):
        sys.exit(f"there is no program '{MMT}': set MMT_TEST_BINARY")
    unittest.main(verbosity=2)
