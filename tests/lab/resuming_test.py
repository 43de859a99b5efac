"""A study that is killed, interrupted or changed, and started again with the same folder."""

import os
import pathlib
import shutil
import signal
import time
from unittest import mock

import lab_support
from mmt_lab.command.failure import Interrupted

PARSER = ("parser_monolithic", "parser_system")
BOTH = ("timed parser_monolithic system", "timed parser_system system")


class Resuming(lab_support.Bench):
    def setUp(self):
        super().setUp()
        for name in PARSER:
            # What a run leaves behind when it is not ended with the study.
            script = (
                f'echo $$ >>"{self.folder}/started"; sleep 0.05; echo $$ >>"{self.folder}/ended"'
            )
            self.program(name, script)

    def begin(self, *arguments):
        # A study that is killed leaves its scratch folder behind: here, with the test's own.
        return self.start(
            "heap-layers", "--only", "figure-1", "--rounds", 8, "--output", "out", *arguments,
            TMPDIR=self.folder,
        )  # fmt: skip

    def wait_for_samples(self, count):
        journal = self.folder / "out" / "journal.jsonl"
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if journal.exists() and journal.read_bytes().count(b"\n") > count:
                return
            time.sleep(0.01)
        self.fail("the study does not get on")

    def no_program_runs(self):
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            alive = [
                one
                for one in (self.folder / "started").read_text().split()
                if os.path.exists(f"/proc/{one}/exe")
                and "parser_" in pathlib.Path(f"/proc/{one}/cmdline").read_text()
            ]
            if not alive:
                return True
            time.sleep(0.02)
        return False

    def test_goes_on_after_kill(self):
        process = self.begin()
        self.wait_for_samples(5)
        process.kill()
        process.communicate()
        self.assertTrue(self.no_program_runs(), "killed, but its program goes on")
        before = self.records("out")
        self.assertLess(len(before), 16)
        status, _, err = self.study_again()
        self.assertEqual((status, err), (0, ""))
        after = self.records("out")
        self.assertEqual(after[: len(before)], before)
        self.assertCountEqual(after, [(run, index) for run in BOTH for index in range(8)])
        self.assertEqual(self.report("out")["rounds"], 8)

    def study_again(self, *arguments):
        process = self.begin(*arguments)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_an_interrupt_leaves_what_was_measured(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            process = self.begin()
            self.wait_for_samples(5)
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 128 + number, err)
            self.assertIn("the same command goes on", err)
            self.assertIn("figure-1", out)
            self.assertTrue(self.no_program_runs())
            self.assertFalse(self.report("out")["complete"])
        self.assertEqual(self.study_again()[0], 0)
        self.assertEqual(len(self.records("out")), 16)

    def test_what_ignores_errors_ignores_no_interrupt(self):
        (self.folder / "any").mkdir()
        with mock.patch("os.open", side_effect=Interrupted(signal.SIGINT)), self.assertRaises(Interrupted):
            shutil.rmtree(self.folder / "any", ignore_errors=True)

    def test_another_program_or_setting_is_refused(self):
        self.assertEqual(self.study_again("--rounds", 1)[0], 0)
        status, _, err = self.study_again("--seed", 2)
        self.assertEqual(status, 1)
        self.assertRegex(
            err, r"^mmt: cannot go on with .*journal.jsonl.*seed \(was 1, is 2\).*--fresh"
        )
        self.program("parser_system", "exit 0 # built anew")
        status, _, err = self.study_again()
        self.assertEqual(status, 1)
        self.assertIn("parser_system (was ", err)
        self.assertEqual(self.study_again("--fresh", "--rounds", 1)[0], 0)
        self.assertEqual(len(self.records("out")), 2)

    def test_more_rounds_go_on(self):
        self.assertEqual(self.study_again("--rounds", 2)[0], 0)
        self.assertEqual(self.study_again("--rounds", 4)[0], 0)
        self.assertCountEqual(
            self.records("out"), [(run, index) for run in BOTH for index in range(4)]
        )


if __name__ == "__main__":
    lab_support.main()
