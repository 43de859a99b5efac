"""What an interrupted study prints: what was measured, and the rest in a line."""

import contextlib
import io
import unittest

import lab_support
from mmt_lab.results import result
from mmt_lab.reporters import console
from mmt_lab.results.statistics import Estimate
from mmt_lab.study import relation
from mmt_lab.study.experiment import Part
from mmt_lab.text.units import in_figures


def experiment(name, ours, missing):
    cell = result.CellResult("row", "column", "ratio", ours, None)
    grid = result.GridResult("Grid", "ratio", "of", ("row",), ("column",), None, (cell,))
    finding = result.Finding("not measured", f"{name} is fast: not measured.")
    return result.ExperimentResult(name, f"Title of {name}", (finding,), (grid,), (), (), missing)


def printed(*experiments):
    told = result.StudyResult(
        1, "study", "s", "T", "P", (), {}, {}, 0, False, (), {}, experiments, ()
    )
    with contextlib.redirect_stdout(io.StringIO()) as out:
        console.show(told)
    return out.getvalue()


class Width(unittest.TestCase):
    def table(self, count, row="row"):
        """Printed: a number with an interval in each of so many columns, and the paper's below."""
        columns = tuple(f"allocator {one}" for one in range(count))
        cells = tuple(
            result.CellResult(row, name, "ratio", Estimate(1000 + at, 999 + at, 1001 + at, 5), 2000.0 + at)
            for at, name in enumerate(columns)
        )
        grid = result.GridResult("Grid of many", "ratio", "of", (row,), columns, None, cells)
        finding = result.Finding("reproduced", "All are as fast as the paper says, and that in 80 columns. " * 3)
        return printed(result.ExperimentResult("one", "Title", (finding,), (grid,), (), (), ()))

    def test_no_line_is_longer_than_80_and_no_number_broken(self):
        for count, row in ((1, "row"), (3, "row"), (12, "row"), (5, "a name of a row that is longer than half a line"),
                           (2, "n" * 200)):
            text = self.table(count, row)
            self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
            for at in range(count):
                self.assertIn(f"{in_figures(1000 + at, 'ratio')} (", text)
                self.assertIn(f"paper {in_figures(2000 + at, 'ratio')}", text)
            self.assertEqual(text.count("Grid of many"), 1)

    def test_each_part_of_a_wide_table_names_its_rows(self):
        self.assertEqual(self.table(1, "perl").count("perl"), 1)
        self.assertGreater(self.table(12, "perl").count("perl"), 2)


class Intervals(unittest.TestCase):
    def test_none_of_fewer_than_five_rounds(self):
        for samples, shown in ((2, False), (4, False), (5, True)):
            text = printed(experiment("one", Estimate(1.5, 1.4, 1.6, samples), ()))
            self.assertIn("1.500", text)
            self.assertEqual("(1.400 to 1.600)" in text, shown, text)

    def test_the_words_of_few_rounds(self):
        self.assertIn("too few for intervals, which take 5", printed())
        for samples, shown in ((2, "1.500 ("), (5, "1.500 (1.400 to 1.600; ")):
            told = relation._detail(Part("T", None, relation.AtMost(2), 1.7), Estimate(1.5, 1.4, 1.6, samples))
            self.assertEqual(told, f"T: {shown}asked for: at most 2.000; the paper has 1.700)")


class Interrupted(unittest.TestCase):
    def test_what_is_to_come_is_a_line(self):
        to_come = tuple(result.Missing(f"run {one}", result.NOT_YET) for one in range(52))
        measured = experiment("first", Estimate(1.5, 1.4, 1.6, 5), ())
        rest = [experiment(f"figure-{one}", None, to_come) for one in range(9)]
        text = printed(measured, *rest)
        self.assertIn("1.500", text)
        self.assertIn(f"not measured yet: {', '.join(one.name for one in rest)}", " ".join(text.split()))
        self.assertNotIn("run 51", text)
        self.assertLess(len(text.splitlines()), 15)

    def test_of_one_in_part_the_rest_is_counted(self):
        missing = (result.Missing("a", result.NOT_YET), result.Missing("b", "exit status 3"))
        text = printed(experiment("half", Estimate(1.5, 1.4, 1.6, 5), missing))
        self.assertIn("missing: b: exit status 3\n", text)
        self.assertIn("not measured yet: 1 run\n", text)

    def test_what_failed_is_never_hidden(self):
        text = printed(experiment("failed", None, (result.Missing("b", "exit status 3"),)))
        self.assertIn("missing: b: exit status 3", text)


if __name__ == "__main__":
    lab_support.main()
