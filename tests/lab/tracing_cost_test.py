"""tools/tracing_cost.py: how it waits for programs, and what it refuses before it measures."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import tracing_cost  # noqa: E402
from mmt_lab.traces.programs import Traced  # noqa: E402  (tracing_cost finds it)

SLEEP = ("sleep", "0.1")


class TracingCost(unittest.TestCase):
    def test_ends_are_not_looked_for_now_and_then(self):
        server = ("sh", "-c", "touch socket; exec sleep 0.3")
        for traced in (Traced("program", SLEEP, ""), Traced("server", server, "", load=SLEEP, end=("true",))):
            # By this Popen.wait counts a time limit, between looks.
            with mock.patch("subprocess._time", side_effect=AssertionError("it waits with a time limit")):
                seconds, _ = tracing_cost.run(traced, ())
            self.assertGreaterEqual(seconds, 0.1)

    def test_what_fails_or_does_not_end(self):
        with self.assertRaisesRegex(SystemExit, "broken ended with status 3"):
            tracing_cost.run(Traced("broken", ("sh", "-c", "exit 3"), ""), ())
        with mock.patch.object(tracing_cost, "PATIENCE", 0.1), self.assertRaisesRegex(SystemExit, "has not ended"):
            tracing_cost.run(Traced("endless", ("sleep", "1000"), ""), ())

    def test_a_table_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            for place in (folder, f"{folder}/gone/samples.csv"):
                words = [ROOT / "tools/tracing_cost.py", "--binary", os.environ["MMT_TEST_BINARY"], "--csv", place]
                done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done)
                self.assertIn(f"cannot open '{place}': ", done.stderr)


if __name__ == "__main__":
    unittest.main()
