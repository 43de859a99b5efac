"""Quantities of order: places, ties, and what is shown of the best alone."""

import unittest

import lab_support
from mmt_lab.study.experiment import BOXES, Allocator, Cell, Experiment, Grid, Kind, Program, Run
from mmt_lab.study.quantity import Measured
from mmt_lab.study.ranking import Field, IfAmong, Sum
from mmt_lab.reporters import charts
from mmt_lab.study.relation import Between
from mmt_lab.results.result import experiment_result
from mmt_lab.measuring.samples import Samples
from mmt_lab.results.statistics import Estimate

TRACE = Program("trace", ("x",))


def quantity(name, metric="nodes"):
    return Measured(Run(Kind.SIMULATED, TRACE, Allocator(name)), metric)


def samples(**values):
    made = Samples()
    for name, value in values.items():
        metrics = {"nodes": value, "frees": 1.0}
        made.add(quantity(name).run.key, None, metrics)
    return made


FIELD = Field(tuple((name, quantity(name)) for name in ("a", "b", "c")))
KNOWN = samples(a=5.0, b=2.0, c=2.0)


class Ranking(unittest.TestCase):
    def value(self, one, known=KNOWN):
        return one.estimate(known).value

    def test_less_is_better_and_ties_go_to_the_first_named(self):
        self.assertEqual([self.value(FIELD.place(one)) for one in "abc"], [3, 1, 2])
        self.assertEqual(self.value(FIELD.shared(("a", "c"), 2)), 1)

    def test_nothing_is_ranked_where_one_is_missing(self):
        self.assertIsNone(FIELD.place("b").estimate(samples(a=1.0, b=2.0)))

    def test_sums_are_of_one_run_each(self):
        both = Sum((quantity("a"), quantity("a", "frees")))
        self.assertEqual(self.value(both), 6.0)
        self.assertIsNone(both.estimate(samples(b=1.0)))

    def test_only_the_best_have_a_column(self):
        cells = {("trace", n): Cell(IfAmong(quantity(n), FIELD, n, 2)) for n in "abc"}
        grid = Grid(
            "t", "mean", "trace", ("trace",), tuple("abc"), cells, chart_column=BOXES, drops_empty=True
        )
        told = experiment_result(Experiment("e", "t", (grid,), ()), KNOWN, {})
        self.assertEqual(told.grids[0].columns, ("b", "c"))
        self.assertEqual(told.missing, ())
        figure = charts.chart_of(told.grids[0])
        self.assertEqual([(one["name"], one["y"]) for one in figure["data"]], [("b", [[2.0]]), ("c", [[2.0]])])

    def test_between(self):
        def judged(low, high):
            return Between(1, 2).judge(Estimate(low, low, high, 1))

        self.assertEqual([judged(1, 2), judged(0, 1.5), judged(3, 4)], [True, None, False])


if __name__ == "__main__":
    lab_support.main()
