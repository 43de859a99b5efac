"""figures_table.py: its tables say what the CSV files say, and ratios are those of rounds."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/figures_table.py"

sys.path.insert(0, str(TOOL.parent))
import figures_goals  # noqa: E402
import figures_table  # noqa: E402

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
large,blocks,glibc,cpu,s,1,3
"""


ROW = figures_goals.Row("large/blocks", "blocks", "blocks", 0.60, 0.60)


class FiguresTableTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        pathlib.Path(folder.name, "large.csv").write_text(SAMPLES, encoding="utf-8")
        pathlib.Path(folder.name, "machine").write_text("a machine", encoding="utf-8")
        pathlib.Path(folder.name, "peers").write_text("mimalloc 3", encoding="utf-8")
        self.figures = figures_table.Figures(pathlib.Path(folder.name))

    def test_each_part_is_printed_from_the_files_of_docs(self):
        begins = {
            "runs": "- `seed",
            "table": "| figure | MMT | best peer | glibc |",
            "peaks": "| program | MMT | best peer |",
            "missed": "",
        }
        for part, begin in begins.items():
            done = subprocess.run([sys.executable, "-B", TOOL, part], capture_output=True, text=True, check=True)
            none, *sets = done.stdout.split("### Beside ")
            self.assertEqual("", none)
            versions = [one.partition("\n\n")[0] for one in sets]
            self.assertEqual(len(versions), len(set(versions)), "a set of peers has one table")
            for one in sets:
                self.assertTrue(one.partition("\n\n")[2].startswith(begin), part)
                self.assertGreater(len(one.splitlines()), 10, part)

    def test_a_set_of_peers_keeps_to_itself(self):
        for runs in figures_table.sets_of_runs():
            self.assertEqual(1, len({one.peers for one in runs}))
            names = {name for one in runs for samples in one.samples.values() for name in samples}
            for name in names - {"mmt", "glibc"}:
                self.assertIn(f"{name.removesuffix('-minimal')} ", runs[0].peers)

    def test_ratios_of_rounds_to_the_fastest_peer(self):
        self.assertEqual(
            ["blocks", "20 ms", "20 ms mimalloc", "40 ms", "1.00 (0.50-1.50)", "1.00", "0.50",
             "0.60, **missed**; 0.60, met (glibc)", "2 s / 1 s / 3 s"],
            figures_table.cells([self.figures, self.figures], ROW),
        )  # fmt: skip

    def test_a_goal_counts_where_it_is_met(self):
        met, not_met = (figures_goals.Goal(ratio, 1.05, "the best peer's") for ratio in (1.05, 1.06))
        for goals, text in (([met, met], "met"), ([met, not_met], "met in 1 of 2"), ([not_met], "**missed**")):
            self.assertEqual(f"1.05, {text}", figures_table.verdicts([[goal] for goal in goals]))

    def test_what_is_missed_is_said_with_its_number(self):
        best, _ = figures_table.goals_of(self.figures, ROW)
        self.assertEqual(
            "- blocks: 1.00, 1.00 of the best peer's (goal 0.60)\n",
            figures_table.in_words("blocks", [best, best]),
        )

    def test_what_stands_for_a_command_is_one(self):
        text = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()), "large.txt")
        text.write_text("large/blocks  mmt  20 ms\nlarge/blocks  glibc  40 ms\n", encoding="utf-8")
        self.figures.files = [text.with_suffix(".csv")]
        with self.assertRaises(SystemExit):
            figures_table.described(self.figures)
        text.write_text("mmt bench --seed 1 large\n", encoding="utf-8")
        self.assertIn("`mmt bench --seed 1 large`", figures_table.described(self.figures))

    def test_rounding_hides_no_miss(self):
        just_missed = figures_goals.Goal(1.0529, 1.05, "the best peer's")
        self.assertFalse(figures_table.is_met(just_missed))
        self.assertEqual("1.053", figures_table.ratio_text(just_missed))
        self.assertEqual("1.0504", figures_table.ratio_text(just_missed._replace(ratio=1.0504)))
        self.assertEqual("1.05", figures_table.ratio_text(just_missed._replace(ratio=1.0499)))

    def test_labels_name_their_group(self):
        by_metric = {(row.program, row.metric): row for row in figures_goals.ROWS}
        row = by_metric["rebuild/mixed", "teardown"]
        self.assertEqual("`rebuild` mixed, torn down", figures_table.full_label(row))


if __name__ == "__main__":
    unittest.main()
