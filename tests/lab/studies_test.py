"""The studies' declarations: what the engine takes for granted of them."""

import unittest

import lab_support
from mmt_lab import studies


class Declared(unittest.TestCase):
    def test_each_key_is_of_one_run(self):
        """Samples are kept by key: two commands under one would be mixed."""
        for study in studies.ALL:
            keys = {}
            for run in (run for one in study.experiments for run in one.runs()):
                self.assertEqual(keys.setdefault(run.key, run), run)

    def test_no_word_is_given_twice_in_a_trial(self):
        """Programs refuse a flag without a value that comes twice."""
        for study in studies.ALL:
            for run in (run for one in study.experiments for run in one.runs()):
                words = (*run.program.command, *run.program.small)
                self.assertLessEqual(words.count("--small"), 1, run.key)

    def test_words_are_tuples(self):
        """A text in their place would be taken apart."""
        for study in studies.ALL:
            for run in (run for one in study.experiments for run in one.runs()):
                for words in (run.program.command, run.program.small, run.program.paper):
                    self.assertIsInstance(words, tuple, run.key)

    def test_names_are_unique(self):
        for study in studies.ALL:
            names = [one.name for one in study.experiments]
            self.assertEqual(len(names), len(set(names)), names)

    def test_cells_are_in_their_grids(self):
        for study in studies.ALL:
            for grid in (grid for one in study.experiments for grid in one.grids):
                for row, column in grid.cells:
                    self.assertIn(row, grid.rows, grid.title)
                    self.assertIn(column, grid.columns, grid.title)
                self.assertIn(grid.chart_column, (None, "*", *grid.columns), grid.title)

    def test_each_figure_and_table_of_the_papers_evaluation_is_there(self):
        names = {one.name for one in studies.mmt.STUDY.experiments}
        figures = {f"figure-{number}" for number in (1, 2, 7, 8, 9, 10, 11)}
        self.assertLessEqual(figures | {"table-1", "table-2"}, names)


if __name__ == "__main__":
    lab_support.main()
