"""figures_table.py: the page says what its CSV files say, and ratios are those of rounds."""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/figures_table.py"

spec = importlib.util.spec_from_file_location("figures_table", TOOL)
figures_table = importlib.util.module_from_spec(spec)
spec.loader.exec_module(figures_table)

SAMPLES = """suite,program,allocator,metric,unit,round,value
large,blocks,mmt,blocks,ms,1,10
large,blocks,mmt,blocks,ms,2,30
large,blocks,mmt,blocks,ms,3,20
large,blocks,glibc,blocks,ms,1,40
large,blocks,glibc,blocks,ms,2,40
large,blocks,glibc,blocks,ms,3,40
large,blocks,mimalloc,blocks,ms,1,20
large,blocks,mimalloc,blocks,ms,2,20
large,blocks,mimalloc,blocks,ms,3,30
large,blocks,mmt,cpu,s,1,2
large,blocks,mimalloc,cpu,s,1,1
"""


class FiguresTableTest(unittest.TestCase):
    def test_the_page_is_up_to_date(self):
        done = subprocess.run([sys.executable, "-B", TOOL, "--check"], check=False)
        self.assertEqual(0, done.returncode, "run tools/figures_table.py --write")

    def test_ratios_of_rounds_to_the_fastest_peer(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "large.csv"
            path.write_text(SAMPLES, encoding="utf-8")
            figures = figures_table.Figures([path])
        row = figures_table.Row("large/blocks", "blocks", "blocks", 0.60, 0.60)
        self.assertEqual(
            ["blocks", "20 ms", "20 ms mimalloc", "40 ms", "0.67 (0.50-1.50)", "0.50",
             "0.60, **missed**; 0.60, met (glibc)", "2 s / 1 s"],
            figures_table.cells(figures, row),
        )  # fmt: skip


if __name__ == "__main__":
    unittest.main()
