"""What the study of the MMT paper takes for granted of its programs, by `mmt study` on small inputs."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import lab_support
from mmt_lab.studies.mmt import programs


class Programs(unittest.TestCase):
    def counts(self):
        """{(program, column of table-2): value}."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [lab_support.MMT, "study", "mmt", "--small", "--rounds", "1", "--only", "table-2",
                 "--quiet", "--output", folder],
                capture_output=True, text=True, timeout=100, env=lab_support.clean_environment(),
            )  # fmt: skip
            self.assertEqual((done.returncode, done.stderr), (0, ""), done)
            report = json.loads((pathlib.Path(folder) / "report.json").read_text(encoding="utf-8"))
        (experiment,) = report["experiments"]
        (grid,) = experiment["grids"]
        return {(one["row"], one["column"]): one["ours"]["value"] for one in grid["cells"]}

    def test_which_of_them_free(self):
        counts = self.counts()
        freeing = {one.name.split(",")[0] for one in programs.FREEING}
        for one in programs.ALL:
            frees = counts[one.name, "operations"] - counts[one.name, "allocations"]
            self.assertEqual(frees > 1, one.name in freeing, f"{one.name}: {frees} frees")


if __name__ == "__main__":
    lab_support.main()
