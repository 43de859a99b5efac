"""`mmt study mmt` as users run it, on small inputs: real programs, and its page in a browser."""

import pathlib
import subprocess
import tempfile
import unittest

import browser_support
import lab_support
import page_support


class Trial(unittest.TestCase):
    def test_a_trial_of_the_paper_study(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [lab_support.MMT, "study", "mmt", "--small", "--rounds", "1", "--only",
                 "bucket-sizes", "--quiet", "--output", folder],
                capture_output=True, text=True, timeout=250, env=lab_support.clean_environment(),
            )  # fmt: skip
            self.assertEqual((done.returncode, done.stderr), (0, ""), done)
            path = pathlib.Path(folder) / "report.html"
            page = page_support.Page(path.read_text(encoding="utf-8"))
            opened = browser_support.Opened(path)
            self.assertEqual(opened.console, [])
            self.assertEqual(len(opened.plots), len(page.charts))
            self.assertGreaterEqual(len(page.charts), 2)
            self.assertGreater(min(map(sum, opened.plots)), 0)


if __name__ == "__main__":
    lab_support.main()
