"""run_tests.py turns what ctest reports into the right verdict; cmake and ctest are doubles."""

import importlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]

CTEST = """#!/bin/sh
while [ $# -gt 1 ]; do
  [ "$1" != --output-junit ] || report=$2
  shift
done
cat >"$report" <<'XML'
<testsuite>{cases}</testsuite>
XML
echo "100% tests passed, 0 tests failed out of 2"
exit {status}
"""
PASSED = '<testcase name="unit.Good" status="run"/><testcase name="unit.Fine" status="run"/>'
SKIPPED = """<testcase name="unit.Idle" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
<system-out>test_one ... ok
not tried here: no swap
</system-out></testcase>
<testcase name="unit.Lazy" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>/x/lazy_test.cpp:7: Skipped
no swap

[  SKIPPED ] Lazy.One (0 ms)</system-out></testcase>"""
MISSING = '<testcase name="unit.Lost" status="notrun"><skipped message="Unable to find executable"/></testcase>'
FAILED = """<testcase name="unit.Bad" status="fail"><failure message="Failed"/>
<system-out>why it failed</system-out></testcase>"""
DISABLED = '<testcase name="unit.Off" status="disabled"/>'


class RunTestsTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.root = pathlib.Path(self._folder.name)
        (self.root / "tools").mkdir()
        (self.root / "build/release").mkdir(parents=True)
        shutil.copy(ROOT / "tools/run_tests.py", self.root / "tools")
        for folder in ("tools/test_run", "tests/support"):
            shutil.copytree(ROOT / folder, self.root / folder)
        self.lacks("")
        self.script("tools/check_format.sh", "#!/bin/sh\nexit 0\n")
        self.script("bin/cmake", "#!/bin/sh\nexit 0\n")
        self.ctest(PASSED)

    def module(self, name):
        sys.path.insert(0, str(ROOT / "tools"))
        self.addCleanup(sys.path.remove, str(ROOT / "tools"))
        return importlib.import_module(name if name == "run_tests" else f"test_run.{name}")

    def lacks(self, why):
        """What the stages hear of a machine on which leaks cannot be looked for."""
        (self.root / "tests/support/machine.py").write_text(f"def lacks(_what):\n    return {why!r}\n")

    def script(self, name, text):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def ctest(self, cases, status=0):
        self.script("bin/ctest", CTEST.format(cases=cases, status=status))

    def run_stages(self, *stages, **env):
        path = f"{self.root}/bin:/usr/bin:/bin"
        return subprocess.run(
            [sys.executable, "-B", self.root / "tools/run_tests.py", "--jobs", "1", "--path", path, *stages],
            env={**os.environ, **env},
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def test_all_passed(self):
        result = self.run_stages("format", "build", "ctest")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("100% tests passed, 0 tests failed out of 2", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^ctest +\d+\.\d s  ok  2 tests")
        self.assertRegex(result.stdout, r"(?m)^total +\d+\.\d s$")

    def test_the_longest_tests_are_named(self):
        self.ctest('<testcase name="unit.Quick" status="run" time="0.5"/>'
                   '<testcase name="unit.Slow" status="run" time="61.25"/>')  # fmt: skip
        self.assertRegex(self.run_stages("ctest").stdout, r"61.2 s  unit.Slow\n +0.5 s  unit.Quick\n")

    def test_what_cannot_be_tried_is_told_in_one_line_a_reason(self):
        self.ctest(PASSED + SKIPPED)
        result = self.run_stages("ctest")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("\nnot tried here: no swap: unit.Idle, unit.Lazy\n", result.stdout.partition("=== summary")[2])

    def test_what_cannot_be_tried_is_a_failure_in_ci(self):
        self.ctest(PASSED + SKIPPED)
        result = self.run_stages("--strict", "ctest")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^ctest .*FAILED: not everything was tried: 2$")
        self.assertIn("not tried here: no swap: unit.Idle, unit.Lazy", result.stdout)
        self.ctest(PASSED)
        self.assertEqual(self.run_stages("--strict", "ctest").returncode, 0)

    def test_what_is_lost_is_a_failure(self):
        self.ctest(PASSED + MISSING)
        result = self.run_stages("ctest")
        self.assertEqual(result.returncode, 1)
        self.assertIn("did not run: unit.Lost", result.stdout)

    def test_the_environment_is_the_same_everywhere(self):
        self.script("tools/check_format.sh", "#!/bin/sh\nenv; umask; ls -A $HOME; touch $HOME/left\n")
        strange = {"LD_PRELOAD": "", "MMT_OPTIONS": "x", "LC_ALL": "tr_TR", "PYTHONPATH": "/x", "CFLAGS": "-Wrong", "TMPDIR": "/x"}
        for given in ({}, strange, {"HOME": "/nonexistent"}):
            result = self.run_stages("format", **given)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            shown = result.stdout.partition("check_format.sh\n")[2].partition("\n\n===")[0].splitlines()
            allowed = r"(PATH|HOME|TEST_TMPDIR|USER|LANG|TERM|CLICOLOR|PWD|OLDPWD|SHLVL|_|CCACHE_\w+|CMAKE_\w+)=.*|0022"
            self.assertEqual([line for line in shown if not re.fullmatch(allowed, line)], [])
            self.assertIn(f"HOME={self.root}/build/home", shown)

    def test_where_leaks_cannot_be_looked_for_that_is_told(self):
        self.lacks("ptrace is refused")
        self.script("tools/check_format.sh", "#!/bin/sh\necho $ASAN_OPTIONS\n")
        result = self.run_stages("format")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("\ndetect_leaks=0\n", result.stdout)
        self.assertIn("\nnot tried here: ptrace is refused: leaks, by sanitizers\n", result.stdout)

    def test_who_has_the_memory_is_named(self):
        proc = self.root / "proc"
        for number, name, kilobytes in ((7, "small", 10), (8, "gre\x1bedy", 3 << 20)):
            (proc / str(number)).mkdir(parents=True)
            (proc / str(number) / "comm").write_text(f"{name}\n")
            (proc / str(number) / "status").write_text(f"Name:\tx\nVmRSS:\t{kilobytes} kB\n")
        (proc / "8" / "status").write_text(f"Name:\tab kB\nVmRSS:\t{3 << 20} kB\n")
        (proc / "9").mkdir()  # has just ended
        (proc / "meminfo").write_text("MemTotal: 4194304 kB\nMemAvailable:    1048576 kB\n")
        warning = self.module("memory").warning
        self.assertEqual(warning(proc, needed=1 << 30), "")
        line = "only 1024 MiB of memory are available; process 8, 'gre\\x1bedy', has 3072 MiB"
        self.assertEqual(warning(proc, needed=2 << 30), line)

    def test_what_only_root_can_do_is_left_out_for_others_alone(self):
        run_tests = self.module("run_tests")
        for user, expected in ((0, "^(soak|bench)$"), (1000, "^(soak|bench|root)$")):
            with unittest.mock.patch("os.geteuid", return_value=user):
                self.assertEqual(run_tests.left_out(), expected)

    def test_what_only_root_can_do_is_told_to_others(self):
        run_tests = self.module("run_tests")
        self.script("bin/ctest", "#!/bin/sh\nshift; echo '  Test  #7: cli.groups'; echo \"  Test #11: $*\"; echo 'Total Tests: 2'\n")
        with unittest.mock.patch.dict(os.environ, PATH=f"{self.root}/bin:/usr/bin:/bin"):
            with unittest.mock.patch("os.geteuid", return_value=0):
                self.assertEqual(run_tests.for_root_only("release", "-L", "x"), [])
            with unittest.mock.patch("os.geteuid", return_value=1000):
                told = run_tests.for_root_only("release", "-L", "x")
        why = "only root can"
        self.assertEqual(told, [("cli.groups", why), ("build/release -N -L ^root$ -L x", why)])

    def test_ignored_signals_reach_no_stage(self):
        # By the shell itself: it holds all signals for a moment as it starts another program.
        tell = 'while read -r name value; do case $name in SigIgn:|SigBlk:) echo "$name\t$value" ;; esac; done </proc/$$/status'
        self.script("tools/check_format.sh", f"#!/bin/sh\n{tell}\n")
        blocked = "trap '' USR1 TERM CHLD PIPE HUP; exec \"$0\" \"$@\""
        result = subprocess.run(
            ["/bin/sh", "-c", blocked, sys.executable, "-B", self.root / "tools/run_tests.py", "--path", "/usr/bin:/bin", "format"],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        held, ignored = (int(one, 16) for one in re.findall(r"Sig(?:Ign|Blk):\t(\w+)\n", result.stdout))
        of_threads = 3 << 31  # libc's own two, which no program of its can change
        self.assertEqual((ignored & ~of_threads, held), (1, 0), result.stdout + result.stderr)

    def test_disabled_is_a_failure(self):
        self.ctest(PASSED + DISABLED)
        self.assertEqual(self.run_stages("ctest").returncode, 1)

    def test_failed_ctest_is_a_failure(self):
        self.ctest(PASSED, status=8)
        result = self.run_stages("ctest")
        self.assertEqual(result.returncode, 1)
        self.assertIn("exit status 8", result.stdout)

    def test_what_failing_tests_said_is_repeated(self):
        self.ctest(PASSED + FAILED, status=8)
        said = self.run_stages("ctest", "build").stdout.partition("=== build")[2]
        self.assertIn("=== ctest: unit.Bad failed:\nwhy it failed", said)

    def test_ctest_without_report_is_a_failure(self):
        self.script("bin/ctest", "#!/bin/sh\nexit 0\n")
        self.assertEqual(self.run_stages("ctest").returncode, 1)

    def test_report_of_an_earlier_run_does_not_count(self):
        (self.root / "build/release/ctest.xml").write_text(f"<testsuite>{PASSED}</testsuite>")
        self.script("bin/ctest", "#!/bin/sh\nexit 0\n")
        self.assertEqual(self.run_stages("ctest").returncode, 1)

    def test_later_stages_run_after_a_failure(self):
        self.script("tools/check_format.sh", "#!/bin/sh\nexit 1\n")
        result = self.run_stages("format", "ctest")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^format .*FAILED")
        self.assertRegex(result.stdout, r"(?m)^ctest .*ok")

    def test_failed_build_is_a_failure(self):
        self.script("bin/cmake", "#!/bin/sh\nexit 2\n")
        self.assertEqual(self.run_stages("build").returncode, 1)

    def test_unknown_stage(self):
        result = self.run_stages("nonsense")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no stage nonsense", result.stderr)


if __name__ == "__main__":
    unittest.main()
