"""`mmt trace`: the pool of records that it shares with the program, full, inherited, or out of sight."""

import collections
import json
import os
import pathlib
import signal
import subprocess
import time

from support import main, mmt
from trace_programs import CLOSER, FLOOD, HEIR, QUEUE
from trace_support import Trace


class Pool(Trace):
    def test_a_full_pool_is_waited_for(self):
        self.flood([], self.folder / "t.mtr")

    def test_a_child_waits_for_its_parent(self):
        program = self.compile("program", HEIR)
        # As much as the pool holds, before any of it is read.
        tool = self.start(program, "1500000")
        self.assertEqual(tool.stdout.readline(), b"ready\n")
        os.kill(tool.pid, signal.SIGSTOP)
        tool.stdin.write(b"go\n")
        tool.stdin.flush()
        self.assertEqual(tool.stdout.read(4), b"done")
        os.kill(tool.pid, signal.SIGCONT)
        error = tool.communicate(timeout=60)[1].decode()
        self.assertEqual(tool.returncode, 0, error)
        self.assertNotIn("not seen", error)
        parent, child = (one["file"] for one in json.loads((self.folder / "t.mtr").read_text())["processes"])
        self.assertEqual(sum(one[1] == "free" for one in self.events(child)), 1000, parent)

    def flood(self, around, file):
        program = self.compile("program", FLOOD)
        count = 3_000_000  # two records each: 96 MB
        tool = self.start(*around, program, str(count))
        self.assertEqual(tool.stdout.readline(), b"ready\n")
        os.kill(tool.pid, signal.SIGSTOP)
        tool.stdin.write(b"go\n")
        tool.stdin.flush()
        time.sleep(1)
        os.kill(tool.pid, signal.SIGCONT)
        error = tool.communicate(timeout=60)[1].decode()
        self.assertEqual(tool.returncode, 0, error)
        self.assertNotIn("waited 0 times", error)
        done = mmt("trace", "--show", file)
        self.assertEqual(done.status, 0, done)
        allocated = done.out.split("allocated")[0].split()[-1].replace(",", "")
        self.assertGreaterEqual(int(allocated), count)
        self.assertLess(int(allocated), count + 1000)

    def new_pid_namespace(self):
        for around in (["unshare", "-pf", "--mount-proc"], ["unshare", "-Urpf", "--mount-proc"]):
            if subprocess.run([*around, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
                return around
        self.skipTest("no pid namespaces")

    def test_other_pid_namespaces(self):
        around = self.new_pid_namespace()
        # More threads than there are chunks.
        files = self.recorded("--", *around, self.compile("queue", QUEUE, "-pthread"), 5000)
        # The first process there may allocate before it becomes the program.
        file = max(files, key=lambda one: (self.folder / one).stat().st_size)
        kinds = collections.Counter(one[1] for one in self.events(file))
        self.assertEqual(self.sizes(file)[70009], 5000)
        self.assertEqual((kinds["thread_start"], kinds["thread_end"]), (5001, 5000))
        # The reader stands still, while it can be seen by no id.
        self.flood(around, self.folder / file)

    def test_a_pipe_where_pools_are(self):
        path = pathlib.Path("/dev/shm", f"mmt-trace-{os.getpid()}-pipe")
        os.mkfifo(path)
        self.addCleanup(path.unlink)
        os.utime(path, (1e9, 1e9))
        self.assertEqual(self.trace("-q", "--", "true").status, 0)

    def test_no_descriptor_is_left(self):
        files = self.recorded("--", self.compile("program", CLOSER))
        sizes = sum((self.sizes(name) for name in files), collections.Counter())
        self.assertEqual((sizes[50001], sizes[50002], sizes[50003]), (2000, 1, 1))


if __name__ == "__main__":
    main()
