"""The studies' declarations: what the engine takes for granted of them."""

import importlib
import unittest

import lab_support
from mmt_lab.study import relation
from mmt_lab import studies
from mmt_lab.study.experiment import BOXES, HEAT, Kind, Run
from mmt_lab.study.quantity import AverageOverAverage
from mmt_lab.measuring.samples import Samples
from mmt_lab.studies.mmt import allocators, figure_7, figure_8, programs, recycling


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

    def test_no_file_is_left_out(self):
        for path in (lab_support.ROOT / "lab/mmt_lab/studies").glob("*/*.py"):
            if "EXPERIMENT = " in path.read_text(encoding="utf-8"):
                study = importlib.import_module(f"mmt_lab.studies.{path.parent.name}")
                self.assertEqual(study.NAMES.count(path.stem), 1, path)

    def test_cells_are_in_their_grids(self):
        for study in studies.ALL:
            for grid in (grid for one in study.experiments for grid in one.grids):
                for row, column in grid.cells:
                    self.assertIn(row, grid.rows, grid.title)
                    self.assertIn(column, grid.columns, grid.title)
                self.assertIn(grid.chart_column, (None, "*", BOXES, HEAT, *grid.columns), grid.title)

    def test_each_figure_and_table_of_the_papers_evaluation_is_there(self):
        names = {one.name for one in studies.mmt.STUDY.experiments}
        figures = {f"figure-{number}" for number in (1, 2, 7, 8, 9, 10, 11)}
        self.assertLessEqual(figures | {"table-1", "table-2"}, names)


class Designs(unittest.TestCase):
    """How the study of the paper compares its designs."""

    def test_on_average_by_their_averages(self):
        names = tuple(one.name for one in programs.WAITING)
        for experiment in (figure_7.EXPERIMENT, figure_8.EXPERIMENT, recycling.EXPERIMENT):
            for part in (part for one in experiment.relations for part in one.parts):
                if " against " in part.label and not part.label.startswith(names):
                    self.assertIsInstance(part.quantity, AverageOverAverage, part.label)

    def test_programs_that_only_allocate_say_nothing_of_handing_over_frees(self):
        (claimed,) = (
            one for one in figure_7.EXPERIMENT.relations if "each program that frees" in one.claim
        )
        names = [part.label.split(",")[0] for part in claimed.parts]
        self.assertEqual(names, ["cfrac", "deltablue", "gawk", "roboop"])

    def test_an_order_that_most_programs_have_may_not_be_the_averages(self):
        """Design 2 takes twice design 1's time in one program, 0.9 of it in each of the six others."""
        samples = Samples()
        for number, program in enumerate(programs.WAITING):
            first, second = figure_7.DESIGNS.values()
            seconds = {allocators.LEA: 1.0, first: 10.0, second: 9.0 if number else 20.0}
            for allocator, one in seconds.items():
                for index in range(5):
                    samples.add(Run(Kind.TIMED, program, allocator).key, index, {"wall": one})
        (claimed,) = (one for one in figure_7.EXPERIMENT.relations if "in bulk helps" in one.claim)
        self.assertEqual(relation.judge(claimed, samples)[0], relation.NOT_REPRODUCED)
        self.assertAlmostEqual(claimed.parts[0].quantity.estimate(samples).value, 70 / 74)


if __name__ == "__main__":
    lab_support.main()
