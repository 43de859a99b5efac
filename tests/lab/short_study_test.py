"""`mmt study NAME --short`: a verdict for each relation, of the runs on which they rest, in an hour."""

import unittest

import lab_support
from mmt_lab import studies
from mmt_lab.study import durations
from mmt_lab.study.experiment import Cell, Experiment, Grid, Inputs, Kind, Part, Program, Relation, Run
from mmt_lab.study.quantity import Measured
from mmt_lab.study.relation import AtMost
from mmt_lab.study.shortened import MINUTES, ROUNDS, shortened

JUDGED = ("reproduced", "not reproduced", "undecided")


def runs_of(experiments):
    return list(dict.fromkeys(run for one in experiments for run in one.runs()))


class Shortened(unittest.TestCase):
    def test_what_relations_rest_on_is_all_there(self):
        for study in studies.ALL:
            short = shortened(study.experiments)
            self.assertEqual([one.name for one in short], [one.name for one in study.experiments])
            left = set(runs_of(short))
            for before, after in zip(study.experiments, short, strict=True):
                self.assertEqual(after.relations, before.relations)
                for part in (part for it in after.relations for part in it.parts + it.premise):
                    self.assertLessEqual({leaf.run for leaf in part.quantity.measured()}, left, study.name)

    def test_each_study_takes_an_hour_at_most(self):
        """By what its runs take about, as is declared; without what runs by name alone."""
        for study in studies.ALL:
            chosen = [one for one in study.experiments if not one.by_name]
            seconds = durations.of_runs(runs_of(shortened(chosen)), ROUNDS, Inputs.SHORT)
            self.assertLessEqual(seconds, MINUTES * 60, study.name)

    def test_tables_keep_what_comes_with_the_verdicts(self):
        numbers = {
            name: Measured(Run(Kind.TIMED, Program(name, ("true",))), "cpu") for name in ("a", "b", "c")
        }
        cells = {(name, "time"): Cell(one) for name, one in numbers.items()}
        cells["a", "other"] = Cell(numbers["b"])
        grid = Grid("times", "s", "program", ("a", "b", "c"), ("time", "other"), cells)
        bare = Grid("more", "s", "program", ("b",), ("time",), {("b", "time"): Cell(numbers["b"])})
        relation = Relation("a is fast", (Part("a", numbers["a"], AtMost(1)),), (Part("c", numbers["c"], AtMost(1)),))
        (short,) = shortened([Experiment("one", "One", (grid, bare), (relation,))])
        (left,) = short.grids
        self.assertEqual((left.rows, left.columns), (("a", "c"), ("time",)))
        self.assertEqual([run.program.name for run in short.runs()], ["a", "c"])


class ShortStudy(lab_support.Bench):
    def setUp(self):
        super().setUp()
        for name in ("parser_monolithic", "parser_system"):
            self.program(name, "exit 0")

    def test_five_rounds_give_verdicts(self):
        words = ("heap-layers", "--only", "figure-1", "--short", "--output", "out")
        status, out, err = self.study(*words)
        self.assertEqual((status, err), (0, ""), out)
        report = self.report("out")
        self.assertEqual((report["rounds"], report["complete"], report["settings"]["short"]), (5, True, True))
        self.assertIn("--short", report["command"])
        findings = [one for experiment in report["experiments"] for one in experiment["findings"]]
        self.assertTrue(findings)
        for one in findings:
            self.assertIn(one["verdict"], JUDGED)
            for part in one["parts"]:
                self.assertLessEqual(part["ours"]["low"], part["ours"]["high"])
        self.assertIn("short: what verdicts rest on alone", out)

    def test_rounds_may_be_others(self):
        self.study("heap-layers", "--only", "figure-1", "--short", "--rounds", 6, "--output", "out")
        self.assertEqual(self.report("out")["rounds"], 6)

    def test_it_is_no_trial_and_no_oracle(self):
        for flag in ("--small", "--paper-inputs", "--full"):
            status, _, err = self.study("mmt", "--short", flag)
            self.assertEqual(status, 2, err)
        status, _, err = self.study("stm", "--oracles", "--short")
        self.assertEqual(status, 2, err)


if __name__ == "__main__":
    lab_support.main()
