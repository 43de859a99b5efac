"""The driver finds what it is there to find: differences, missing libraries, strays, lateness."""

import glob
import os
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

import run_case
from harness import compare, lab, processes
from harness.allocator import Allocator, Preload

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(os.path.dirname(_HERE))


def judge(function, allocator=None):
    """The problems found in a case made of one function."""
    processes.adopt_orphans()
    with tempfile.TemporaryDirectory() as base:
        os.chmod(base, 0o755)
        module = types.SimpleNamespace(case=function)
        return run_case.judge(module, allocator or Allocator(), base, repeat=1)[0]


class Finds(unittest.TestCase):
    def test_nothing_where_nothing_differs(self):
        self.assertEqual([], judge(lambda lab: lab.run(["echo", "same"])))

    def test_other_output_error_text_and_status(self):
        for script in ("echo $$", "echo $$ >&2", "exit $(($$ % 200))"):
            problems = judge(lambda lab, s=script: lab.run(["sh", "-c", s], status=None))
            self.assertEqual(1, len(problems), script)

    def test_an_unexpected_status(self):
        problems = judge(lambda lab: lab.run(["sh", "-c", "echo why >&2; exit 3"]))
        self.assertIn("exit status 3, not 0\nwhy", problems[0])

    def test_a_program_that_is_not_there(self):
        self.assertIn("not installed", judge(lambda lab: lab.run(["no-such-program"]))[0])

    def test_a_program_that_hangs(self):
        problems = judge(lambda lab: lab.run(["sleep", "60"], timeout=0.2))
        self.assertIn("still running", problems[0])

    def test_a_process_left_behind_in_a_session_of_its_own(self):
        script = "setsid sleep 60 >/dev/null 2>&1 </dev/null &"
        with unittest.mock.patch("harness.lab._GRACE_SECONDS", 0.2):
            problems = judge(lambda lab: lab.run(["sh", "-c", script]))
        self.assertIn("left processes behind", problems[0])
        self.assertEqual([], processes.descendants())

    def test_nothing_survives_a_killed_driver(self):
        text = "import driver_test; driver_test.judge(lambda lab: lab.run(['sleep', '67.5']))"
        left = tempfile.TemporaryDirectory()  # a killed one removes nothing
        self.addCleanup(left.cleanup)
        driver = subprocess.Popen([sys.executable, "-B", "-c", text], cwd=_HERE, env={**os.environ, "TMPDIR": left.name})
        lab.wait_for(lambda: processes.descendants(driver.pid), 20, "sleep")
        (sleeper,) = processes.descendants(driver.pid)
        driver.kill()
        driver.wait()
        lab.wait_for(lambda: sleeper not in processes.descendants(), 10, "the end of sleep")

    def test_records_that_are_missing(self):
        self.assertEqual(1, len(compare.differences([("a", 1)], [], "x")))
        self.assertEqual(1, len(compare.differences([("a", 1)], [("b", 1)], "x")))
        self.assertEqual([], compare.differences([("a", 1)], [("a", 1)], "x"))


class Proof(unittest.TestCase):
    """With a library that does nothing in the place of an allocator."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.library = os.path.join(self.folder.name, "libnothing.so")
        command = ["cc", "-shared", "-fPIC", "-x", "c", "-o", self.library, "-"]
        subprocess.run(command, input=b"int nothing;", check=True)

    def test_a_loaded_library_is_seen(self):
        allocator = Preload(self.library)
        self.assertEqual([], judge(lambda lab: lab.run(["echo", "x"], loads=["sort"]), allocator))

    def test_statistics_are_demanded_of_every_program_named(self):
        allocator = Preload(self.library)
        allocator.reports = True
        # `sh` is alive long enough to be seen in /proc, `sort` never runs.
        problems = judge(lambda lab: lab.run(["sh", "-c", "sleep 0.3"], loads=["sort"]), allocator)
        self.assertEqual(1, len(problems))
        self.assertIn("not loaded in /usr/bin/sort", problems[0])

    def test_a_library_that_the_loader_drops(self):
        allocator = Preload(self.library)
        allocator.library = "libother.so"
        self.assertIn("not loaded", judge(lambda lab: lab.run(["echo", "x"]), allocator)[0])

    def test_a_library_where_none_should_be(self):
        problems = judge(lambda lab: lab.run(["sleep", "0.2"], loads=[]), Preload(self.library))
        self.assertIn("library loaded in ['sleep']", problems[0])

    def test_a_library_out_of_reach_is_staged_for_other_users(self):
        os.chmod(self.folder.name, 0o700)
        with tempfile.TemporaryDirectory() as public:
            staged = Preload(self.library).staged_for_others(public)
            self.assertEqual(public, os.path.dirname(staged.path))
            before = os.stat(staged.path)
            again = Preload(self.library).staged_for_others(public)
            after = os.stat(again.path)
            # The same file, not written again: a server may run with it.
            self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))


class Cases(unittest.TestCase):
    def listed(self, *lists):
        packages = set()
        for name in lists:
            with open(os.path.join(_ROOT, "packages", f"{name}.txt"), encoding="utf-8") as file:
                packages |= {line.partition("#")[0].strip() for line in file}
        return packages

    def test_packages_are_in_the_list_that_set_up_installs(self):
        lists = {"cases": ("build", "test"), "soak_cases": ("build", "test", "bench", "soak")}
        for folder, names in lists.items():
            listed = self.listed(*names)
            paths = glob.glob(os.path.join(_HERE, folder, "*.py"))
            self.assertTrue(paths)
            for path in paths:
                module = run_case.load(os.path.basename(path).removesuffix(".py"))
                self.assertEqual(path, module.__file__)
                self.assertEqual([], [p for p in module.PACKAGES if p not in listed], path)
                self.assertTrue(callable(module.case) and module.__doc__, path)

    def test_wrong_use_is_told(self):
        for words in (["--plain", "no_such_case"], ["--preload", "/no/library", "bash"], ["bash"]):
            command = [sys.executable, "-B", os.path.join(_HERE, "run_case.py"), *words]
            self.assertEqual(2, subprocess.run(command, capture_output=True).returncode, words)


class ALab(unittest.TestCase):
    def test_gives_programs_a_fixed_environment(self):
        with tempfile.TemporaryDirectory() as base:
            room = lab.Lab(Allocator(), os.path.join(base, "work"), os.path.join(base, "staging"))
            with unittest.mock.patch.dict(os.environ, {"MMT_OPTIONS": "x", "LD_PRELOAD": ""}):
                out = room.run(["env"]).stdout.decode()
        self.assertNotIn("MMT_", out)
        self.assertIn(f"HOME={room.folder}\n", out)


if __name__ == "__main__":
    unittest.main()
