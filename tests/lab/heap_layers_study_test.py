"""The study of heap layers: its relations hold of the paper's own numbers, and can fail."""

import unittest

import lab_support
from mmt_lab.measuring.samples import Samples
from mmt_lab.results.statistics import Estimate
from mmt_lab.study import relation
from mmt_lab.study.experiment import Kind
from mmt_lab.studies.heap_layers import STUDY, allocators, figure_6, table_5, table_6

GENERAL_PURPOSE = (figure_6.EXPERIMENT, table_5.EXPERIMENT, table_6.EXPERIMENT)
TABLES = {Kind.TIMED: ("cpu", table_5.TABLE), Kind.REQUESTED: ("requested", table_6.TABLE)}


def of_paper(run, allocator=None):
    """What the paper has of a run of Tables 5 and 6, or of the same program on `allocator`."""
    metric, table = TABLES[run.kind]
    return {metric: table.value(run.program, allocator or run.allocator)}


def of_lea(run):
    return of_paper(run, allocators.LEA)


def verdicts(experiment, metrics):
    """{claim: verdict} when each run gives metrics(run), in five rounds."""
    samples = Samples()
    for run in experiment.runs():
        for index in range(5) if run.kind.is_repeated else (None,):
            samples.add(run.key, index, metrics(run))
    return {one.claim: relation.judge(one, samples)[0] for one in experiment.relations}


class Declared(unittest.TestCase):
    def test_the_paper_s_own_number_is_as_asked(self):
        for experiment in STUDY.experiments:
            for one in experiment.relations:
                for part in one.parts:
                    if part.paper is not None:
                        estimate = Estimate(part.paper, part.paper, part.paper, 1)
                        self.assertTrue(part.condition.judge(estimate), (one.claim, part.label))


class Judged(unittest.TestCase):
    def test_the_paper_s_tables_reproduce_all(self):
        for experiment in GENERAL_PURPOSE:
            told = verdicts(experiment, of_paper)
            self.assertEqual(set(told.values()), {relation.REPRODUCED}, told)

    def test_allocators_that_are_alike_do_not_differ_much(self):
        failed = {
            claim
            for experiment in GENERAL_PURPOSE
            for claim, verdict in verdicts(experiment, of_lea).items()
            if verdict == relation.NOT_REPRODUCED
        }
        self.assertEqual(
            failed,
            {
                "Where most is allocated KingsleyHeap that coalesces is slower than the Lea allocator",
                "Kingsley asks for far more memory than the Lea allocator",
                "KingsleyHeap asks for far more than LeaHeap",
                "There coalescing costs much",
                "roboop, the smallest, exaggerates what layers save",
                "Without coalescing KingsleyHeap needs half as much memory again",
                "In each program that is at least 3% more, in one as much as 80%",
            },
        )


if __name__ == "__main__":
    lab_support.main()
