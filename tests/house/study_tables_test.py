"""study_tables.py: the tables of a study's results.csv, with intervals and the paper's numbers."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/study_tables.py"
RESULTS = """experiment,table,row,column,unit,median,low,high,samples,paper
figure-1,Run time,cfrac,Lea,s,0.5,0.5,0.5,3,
figure-1,Run time,cfrac,ours,ratio,1.25,1.0,1.5,3,1.19
figure-1,Run time,gawk,Lea,s,,,,0,
figure-2,Shares,a|b,Lea,share,0.125,0.125,0.125,1,0.3
"""
TABLES = """### figure-1

**Run time**

|  | Lea (s) | ours |
| --- | --- | --- |
| cfrac | 0.500 | 1.250 [1.000, 1.500] (paper 1.190) |
| gawk | missing |  |

### figure-2

**Shares**

|  | Lea |
| --- | --- |
| a\\|b | 12.5% (paper 30.0%) |

"""


class StudyTablesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "results.csv")
        self.file.write_text(RESULTS, encoding="utf-8")

    def run_tool(self, *words):
        return subprocess.run([sys.executable, "-B", TOOL, *words], capture_output=True, text=True, check=False)

    def test_tables(self):
        self.assertEqual(self.run_tool(self.file).stdout, TABLES)

    def test_one_figure(self):
        done = self.run_tool(self.file, "--only", "figure-2")
        self.assertEqual(done.stdout, TABLES[TABLES.index("### figure-2") :])

    def test_a_figure_that_is_not_there_is_named(self):
        done = self.run_tool(self.file, "--only", "figure-3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("figure-3", done.stderr)

    def test_the_kept_studies_are_rendered(self):
        for file in sorted((ROOT / "docs/studies").glob("*.csv")):
            with self.subTest(file=file.name):
                self.assertGreater(len(self.run_tool(file).stdout.splitlines()), 10)


if __name__ == "__main__":
    unittest.main()
