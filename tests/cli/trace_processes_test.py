"""`mmt trace`: a file for each process, children and what they execute, and how they are told apart."""

import collections
import json
import os
import resource
import signal
import subprocess

from support import MMT, PYTHON, clean_environment, main, mmt
from trace_programs import BROOD, FAMILY, ORPHANS, SLEEPER
from trace_support import Trace


class Processes(Trace):
    def test_children(self):
        files = self.recorded("--", self.compile("program", FAMILY), status=3)
        self.assertEqual(len(files), 3)
        parent, child, executed = (self.sizes(name) for name in files[:1] + sorted(files[1:], key=len))
        self.assertEqual((parent[60001], parent[60002], parent[60003], parent[60004]), (1, 1, 0, 0))
        by_size = {}
        for name in files[1:]:
            by_size.update({size: name for size in self.sizes(name) if size in (60003, 60004)})
        self.assertEqual(len(set(by_size.values())), 2)
        child = [one[1:] for one in self.events(by_size[60004])]
        phase = child.index(["phase", "0"])
        numbers = {one[2]: one[1] for one in child[:phase]}
        self.assertIn(["free", numbers["60001"]], child[phase:])
        self.assertIn(["resize", numbers["60002"], "60005"], child[phase:])
        self.assertNotIn("60001", str(self.events(by_size[60003])))

    def test_many_short_lives(self):
        files = self.recorded("--", "sh", "-c", "i=0; while [ $i -lt 300 ]; do (:) & i=$((i+1)); done; wait")
        self.assertGreater(len(files), 1)
        done = mmt("trace", "--show", self.folder / "t.mtr")
        self.assertEqual((done.status, done.err), (0, ""))
        shown = [line.split()[-1] for line in done.out.splitlines() if line.startswith("trace ")]
        self.assertEqual(shown, [str(self.folder / one) for one in files])

    def test_children_that_have_ended_take_no_memory(self):
        # Each inherits 50,000 blocks, some 3 MB here.
        tool = self.start(self.compile("program", BROOD), "120")
        for pipe in (tool.stdin, tool.stdout, tool.stderr):
            pipe.close()
        _, status, usage = os.wait4(tool.pid, 0)
        tool.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(tool.returncode, 0)
        self.assertLess(usage.ru_maxrss, 500_000)
        children = json.loads((self.folder / "t.mtr").read_text())["processes"][1:]
        self.assertEqual([one["objects"] for one in children], [50_000] * 120)

    def test_the_tree_of_processes(self):
        script = "(sh -c 'ls /nowhere/1 2>/dev/null; :'; :); ls /nowhere/2 2>/dev/null; exec ls /dev/null >/dev/null"
        self.recorded("--", "sh", "-c", script)
        processes = json.loads((self.folder / "t.mtr").read_text())["processes"]
        by_program = {one["program"]: one for one in processes}
        root = next(one for one in processes if one["program"].startswith("sh -c (sh"))
        self.assertNotIn("parent", root)
        # What it executed at last is the same process.
        last = by_program["ls /dev/null"]
        self.assertEqual((last["process"], last.get("parent")), (root["process"], None))
        self.assertEqual(by_program["ls /nowhere/2"]["parent"], root["process"])
        inner = by_program["sh -c ls /nowhere/1 2>/dev/null; :"]
        self.assertEqual(by_program["ls /nowhere/1"]["parent"], inner["process"])
        ids = {one["process"]: one for one in processes}
        # Between them lies a child of the root, for the round brackets.
        above = ids[inner["parent"]]
        self.assertEqual(above["parent"], root["process"])

    def test_long_command_lines(self):
        for length in (23, 24, 25, 384, 1000, 9000):
            self.recorded("--", "sh", "-c", ":", "x" * length)
            shown = mmt("trace", "--show", "t.mtr", cwd=self.folder).out
            self.assertRegex(shown, f"(?m)^program     sh -c : x{{{min(length, 4000)},{length}}}$")

    def test_children_are_left_out(self):
        files = self.recorded("--no-follow", "--", self.compile("program", FAMILY), status=3)
        self.assertNotIn(60003, sum((self.sizes(name) for name in files), collections.Counter()))

    def test_a_program_that_is_killed(self):
        tool = self.start(self.compile("program", SLEEPER))
        self.assertEqual(tool.stdout.readline(), b"done\n")
        children = subprocess.run(["pgrep", "-P", str(tool.pid)], capture_output=True, text=True, check=True)
        os.kill(int(children.stdout.split()[0]), signal.SIGKILL)
        tool.communicate(timeout=20)
        self.assertEqual(tool.returncode, -signal.SIGKILL)
        self.assertEqual(self.sizes()[44], 5000)

    def test_fewer_descriptors_than_processes(self):
        script = "for i in $(seq 60); do sleep 0.5 & done; wait"
        files = self.recorded("--", "sh", "-c", script, limits={resource.RLIMIT_NOFILE: 40})
        self.assertGreater(len(files), 60)
        for name in files:
            self.assertEqual(mmt("trace", "--show", self.folder / name).err, "")

    def test_a_file_that_cannot_be_made(self):
        # A name to which no process id can be added.
        output = "t" * 250 + ".mtr"
        done = self.trace("--", self.compile("program", FAMILY), output=output)
        self.assertIn("File name too long", done.err)
        self.assertEqual(self.sizes(output)[60001], 1)

    def test_children_that_outlive_the_program(self):
        tool = self.start(self.compile("program", ORPHANS))
        self.assertEqual(tool.wait(timeout=60), 0)
        error = tool.communicate()[1]
        self.assertIn(b"ended with the program, while 3 other processes of it still ran\n", error)

    def test_names_that_are_no_utf8(self):
        """Names of the folder, the file and a program: any bytes are taken, and shown as escapes."""
        folder = os.fsencode(self.folder) + b"/\xe9t\xe9"
        os.mkdir(folder)
        os.symlink("/bin/sh", folder + b"/sh\xff")

        def run(*words):
            words = [os.path.abspath(MMT), *words]
            more = {"capture_output": True, "timeout": 60, "check": False, "env": clean_environment()}
            done = subprocess.run(words, cwd=folder, **more)
            self.assertEqual(done.returncode, 0, done)
            return done.stdout

        run("trace", "-q", "-o", b"\xfe.mtr", "--", b"./sh\xff", "-c", "ls /dev/null; ls /dev/null; true")
        shown = [line.split(b" ", 1)[1].strip() for line in run("trace", "--show", b"\xfe.mtr").splitlines()
                 if line.startswith(b"trace ")]  # fmt: skip
        self.assertEqual(len(shown), 3)
        files = sorted(set(os.listdir(folder)) - {b"\xfe.mtr", b"sh\xff"})
        self.assertEqual(sorted(shown), [one.replace(b"\xfe", rb"\xfe") for one in files])
        self.assertIn(rb"./sh\xff -c", run("trace", "--show", files[0]))
        run("trace", "--export", "rep", files[0], "-o", b"\xfd.rep")
        run("trace", "-q", "--import", "rep", b"\xfd.rep", "-o", b"\xfd.mtr")
        if not subprocess.run([PYTHON, "-c", "import pyarrow"], stderr=subprocess.DEVNULL, check=False).returncode:
            run("trace", "--export", "parquet", files[0], "-o", b"\xfd.parquet")


if __name__ == "__main__":
    main()
