"""The numbers that the study of the MMT paper derives from several: extremes, shares and overheads."""

import unittest

import lab_support
from mmt_lab.measuring.samples import Samples
from mmt_lab.study.experiment import Kind, Run
from mmt_lab.studies.mmt import (
    allocators,
    any_allocator,
    breakdown,
    figure_9,
    library_cost,
    programs,
    shapes,
    table_2,
)

ROUNDS = 5
DESIGN = figure_9.designs(allocators.LEA)["preallocate"]


def samples_of(kind, of, metrics):
    """`metrics`: {allocator: [{metric: value} of each program]}."""
    samples = Samples()
    for allocator, each in metrics.items():
        for program, values in zip(of, each, strict=True):
            for index in range(ROUNDS):
                samples.add(Run(kind, program, allocator).key, index, values)
    return samples


class Derived(unittest.TestCase):
    def timed(self, seconds):
        """The base takes one second in each program."""
        one = [{"wall": 1.0}] * len(seconds)
        design = [{"wall": each} for each in seconds]
        return samples_of(Kind.TIMED, programs.ALL, {allocators.LEA: one, DESIGN: design})

    def test_extremes_of_programs(self):
        samples = self.timed((4.0, 3.0, 2.0, 2.5, 3.0, 3.5, 3.0))
        first, *others = shapes.ratios(DESIGN, allocators.LEA)
        for quantity, value in (
            (shapes.second_lowest((first, *others)), 2.5),
            (shapes.spread((first, *others)), 2.0),
            (shapes.over_highest(first, others), 4.0 / 3.5),
        ):
            self.assertAlmostEqual(quantity.estimate(samples).value, value)

    def test_an_overhead_is_what_is_added(self):
        samples = self.timed((1.25,) * len(programs.ALL))
        for one in shapes.overheads(DESIGN, allocators.LEA):
            self.assertAlmostEqual(one.estimate(samples).value, 0.25)

    def sampled(self, **design):
        base = {"sampled": 2.0, "own": 1.0, "libc": 0.0, "library": 0.5, "protocol": 0.0}
        count = len(breakdown.PROGRAMS)
        metrics = {allocators.LEA: [base] * count, DESIGN: [base | design] * count}
        return samples_of(Kind.SAMPLED, breakdown.PROGRAMS, metrics)

    def test_calls_are_what_three_libraries_take_together(self):
        samples = self.sampled(library=0.1, protocol=0.5, libc=0.4)
        calls = breakdown.against_base(breakdown.CALLS, DESIGN, allocators.LEA)
        self.assertAlmostEqual(calls.estimate(samples).value, 2.0)
        own = breakdown.against_base(("own code",), DESIGN, allocators.LEA)
        self.assertAlmostEqual(own.estimate(samples).value, 0.6)

    def test_there_is_no_share_of_nothing(self):
        nothing = breakdown.against_base(("protocol's library",), DESIGN, allocators.LEA)
        self.assertIsNone(nothing.estimate(self.sampled()))


class Declared(unittest.TestCase):
    def test_programs_stand_in_the_papers_order_of_rates(self):
        names = [one.name for one in table_2.ORDER]
        self.assertEqual(names, ["treeadd", "cfrac", "roboop", "perimeter", "mst", "gawk"])

    def test_each_row_of_our_own_experiments_says_that_it_is_ours(self):
        for experiment in (any_allocator.EXPERIMENT, library_cost.EXPERIMENT):
            for one in experiment.relations:
                self.assertTrue(one.claim.startswith("Ours: "), one.claim)


if __name__ == "__main__":
    lab_support.main()
