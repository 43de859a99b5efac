"""The others that use the machine: what is measured is none of them."""

import subprocess
import sys
import unittest
from unittest import mock

import lab_support
from mmt_lab.machine import machine


class Others(unittest.TestCase):
    def remark(self, seconds, busy, own):
        """After so long, in which all used so much CPU time, and this process and its own so much."""
        with (
            mock.patch.object(machine.time, "monotonic", side_effect=(100.0, 100.0 + seconds)),
            mock.patch.object(machine, "_busy_seconds", side_effect=(50.0, 50.0 + busy)),
            mock.patch.object(machine, "_own_seconds", side_effect=(7.0, 7.0 + own)),
        ):
            return machine.busy_remark(machine.Others().cpus())

    def test_load_of_its_own_is_none(self):
        self.assertIsNone(self.remark(seconds=10, busy=20.0, own=19.0))

    def test_load_of_others_is_told(self):
        self.assertIn("other programs used 1.10 CPUs", self.remark(seconds=10, busy=20.0, own=9.0))

    def test_too_short_to_tell(self):
        self.assertIsNone(self.remark(seconds=0.1, busy=0.1, own=0.0))

    def test_children_are_its_own(self):
        before = machine._own_seconds(), machine._busy_seconds()
        code = "import os, time\nwhile time.process_time() < 0.3: pass\nos._exit(0)"
        subprocess.run([sys.executable, "-c", f"import os\nos.fork() or exec({code!r})\nos.wait()"], check=True)
        self.assertGreaterEqual(machine._own_seconds() - before[0], 0.3)
        self.assertGreater(machine._busy_seconds(), before[1])


if __name__ == "__main__":
    lab_support.main()
