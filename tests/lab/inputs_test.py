"""Which of its inputs a program is run on, and that the paper's are taken where there is memory."""

import pathlib
import unittest

import lab_support
from mmt_lab.machine import memory
from mmt_lab.measuring import runs
from mmt_lab.study.experiment import Inputs, Program
from mmt_lab.machine.installation import Installation
from mmt_lab.measuring.launcher import RunFailed

INSTALLATION = Installation(*(pathlib.Path("/mmt") / one for one in ("mmt", "lib", "w", "s")))
PROGRAM = Program("true", ("true", "{scripts}/a"), small=("--small",), short=("--brief",), paper=("-n", "9"))
EXABYTE = 1 << 60


class Words(unittest.TestCase):
    def test_each_input_has_its_words(self):
        for inputs, added in (
            (Inputs.DEFAULT, []),
            (Inputs.SMALL, ["--small"]),
            (Inputs.SHORT, ["--brief"]),
            (Inputs.PAPER, ["-n", "9"]),
        ):
            words = INSTALLATION.command(PROGRAM, inputs)
            self.assertEqual(words, ["true", "/mmt/s/a", *added])


class Memory(lab_support.Bench):
    def state(self, text):
        path = self.folder / "meminfo"
        path.write_text(text)
        return path

    def test_available(self):
        state = self.state("MemFree: 1 kB\nMemAvailable:    2097152 kB\n")
        self.assertEqual(memory.available(state), 2 << 30)
        memory.require(2 << 30, state)
        with self.assertRaises(RunFailed) as caught:
            memory.require(9 << 29, state)
        self.assertIn("needs 4.5 GiB of memory, of which 2.0 GiB are", str(caught.exception))
        memory.require(0, pathlib.Path("/nothing"))

    def test_only_the_papers_input_asks_for_it(self):
        large = Program("true", ("true",), paper_bytes=EXABYTE)
        for inputs in (Inputs.DEFAULT, Inputs.SMALL):
            runs.Bench(INSTALLATION, None, None, inputs).command(large)
        with self.assertRaises(RunFailed):
            runs.Bench(INSTALLATION, None, None, Inputs.PAPER).command(large)


if __name__ == "__main__":
    lab_support.main()
