"""Statistics on samples whose answer is known, quantities over them, verdicts on relations."""

import unittest

import lab_support
from mmt_lab.study import relation
from mmt_lab.study.experiment import Kind, Part, Program, Relation, Run
from mmt_lab.study.quantity import (
    Average,
    AverageOverAverage,
    Difference,
    GeometricMean,
    Highest,
    Lowest,
    Measured,
    OfMedians,
    Ratio,
)
from mmt_lab.measuring.samples import Samples
from mmt_lab.results.statistics import (
    Estimate,
    geometric_mean_of_medians,
    highest_of_medians,
    lowest_of_medians,
    mean_of_medians,
    median_estimate,
    paired_ratios,
    ratio_of_means,
)


class Medians(unittest.TestCase):
    def test_median_of_odd_and_even(self):
        self.assertEqual(median_estimate([3.0, 1.0, 2.0]).value, 2.0)
        self.assertEqual(median_estimate([4.0, 1.0, 2.0, 3.0]).value, 2.5)

    def test_no_sample_is_no_estimate(self):
        self.assertIsNone(median_estimate([]))
        self.assertIsNone(mean_of_medians([]))
        self.assertIsNone(mean_of_medians([[1.0], []]))

    def test_few_samples_have_their_extremes_as_bounds(self):
        self.assertEqual(median_estimate([2.0, 1.0]), Estimate(1.5, 1.0, 2.0, 2))

    def test_equal_samples_have_no_width(self):
        self.assertEqual(median_estimate([7.0] * 9), Estimate(7.0, 7.0, 7.0, 9))

    def test_interval_of_a_known_distribution(self):
        # The median of n samples from 1..n lies, with 95%, within about 1.96 / 2 * sqrt(n) ranks.
        values = [float(one) for one in range(1, 402)]
        estimate = median_estimate(values)
        self.assertEqual(estimate.value, 201.0)
        self.assertAlmostEqual(estimate.low, 201 - 19.6, delta=4)
        self.assertAlmostEqual(estimate.high, 201 + 19.6, delta=4)

    def test_outlier_does_not_move_it(self):
        calm = median_estimate([10.0, 10.1, 9.9, 10.05, 9.95, 10.0, 10.02])
        wild = median_estimate([10.0, 10.1, 9.9, 10.05, 9.95, 10.0, 99.0])
        self.assertEqual(calm.value, wild.value)

    def test_same_samples_same_interval(self):
        values = [1.0, 1.3, 0.9, 1.1, 1.05]
        self.assertEqual(median_estimate(values), median_estimate(list(values)))
        # The frozen stream itself: these bounds may never change.
        self.assertEqual(median_estimate(values), Estimate(1.05, 0.9, 1.3, 5))

    def test_mean_of_medians(self):
        estimate = mean_of_medians([[1.0, 1.0, 1.0], [3.0, 3.0, 3.0, 3.0]])
        self.assertEqual(estimate, Estimate(2.0, 2.0, 2.0, 3))

    def test_geometric_mean_of_medians(self):
        estimate = geometric_mean_of_medians([[1.0, 1.0, 9.0], [4.0, 4.0, 4.0, 4.0]])
        self.assertAlmostEqual(estimate.value, 2.0)
        self.assertEqual(estimate.samples, 3)
        self.assertLessEqual(estimate.low, 2.0)
        self.assertGreaterEqual(estimate.high, 2.0)
        self.assertIsNone(geometric_mean_of_medians([[1.0], []]))

    def test_extremes_of_medians(self):
        groups = [[1.0, 1.0, 9.0], [4.0, 4.0, 4.0]]
        self.assertEqual(lowest_of_medians(groups).value, 1.0)
        self.assertEqual(highest_of_medians(groups).value, 4.0)
        self.assertEqual(highest_of_medians(groups).high, 9.0)
        self.assertIsNone(lowest_of_medians([[1.0], []]))


class Ratios(unittest.TestCase):
    def test_pairs_by_round(self):
        self.assertEqual(
            paired_ratios({0: 2.0, 2: 9.0}, {0: 1.0, 1: 5.0, 2: 3.0}), {0: 2.0, 2: 3.0}
        )

    def test_a_disturbed_round_falls_out(self):
        below = {index: 1.0 * (10 if index == 4 else 1) for index in range(9)}
        above = {index: 1.5 * (10 if index == 4 else 1) for index in range(9)}
        self.assertEqual(set(paired_ratios(above, below).values()), {1.5})

    def test_an_exact_value_pairs_with_all_rounds(self):
        self.assertEqual(paired_ratios({None: 6.0}, {0: 2.0, 1: 3.0}), {0: 3.0, 1: 2.0})
        self.assertEqual(paired_ratios({0: 2.0, 1: 4.0}, {None: 2.0}), {0: 1.0, 1: 2.0})
        self.assertEqual(paired_ratios({None: 6.0}, {None: 2.0}), {None: 3.0})

    def test_zero_below_is_left_out(self):
        self.assertEqual(paired_ratios({0: 1.0, 1: 1.0}, {0: 0.0, 1: 2.0}), {1: 0.5})


class RatioOfMeans(unittest.TestCase):
    def test_it_is_not_the_mean_of_ratios(self):
        tops, bottoms = [{0: 1.0}, {0: 30.0}], [{0: 2.0}, {0: 20.0}]
        self.assertEqual(ratio_of_means(tops, bottoms).value, 31 / 22)
        ratios = [list(paired_ratios(*one).values()) for one in zip(tops, bottoms, strict=True)]
        self.assertEqual(mean_of_medians(ratios).value, 1.0)

    def test_what_disturbs_both_falls_out(self):
        """Rounds that differ widely, but in both alike, leave the interval without width."""
        bottoms = [{i: 1.0 + i * i for i in range(9)}, {i: 50.0 - i for i in range(7)}]
        tops = [{i: 2 * value for i, value in one.items()} for one in bottoms]
        self.assertEqual(ratio_of_means(tops, bottoms), Estimate(2.0, 2.0, 2.0, 7))

    def test_what_disturbs_one_widens_it(self):
        bottoms = [{i: 10.0 for i in range(9)}, {i: 10.0 for i in range(9)}]
        tops = [{i: 8.0 + i for i in range(9)}, {i: 12.0 for i in range(9)}]
        estimate = ratio_of_means(tops, bottoms)
        self.assertEqual(estimate.value, 1.2)
        self.assertTrue(1.0 <= estimate.low < 1.2 < estimate.high <= 1.4, estimate)
        self.assertEqual(estimate, ratio_of_means(tops, bottoms))

    def test_rounds_that_one_lacks_are_left_out(self):
        estimate = ratio_of_means([{0: 3.0, 1: 3.0, 5: 99.0}], [{1: 2.0, 0: 2.0, 7: 0.1}])
        self.assertEqual(estimate, Estimate(1.5, 1.5, 1.5, 2))
        self.assertEqual(ratio_of_means([{None: 6.0}], [{0: 2.0, 1: 2.0}]).value, 3.0)

    def test_without_a_common_round_there_is_none(self):
        self.assertIsNone(ratio_of_means([], []))
        self.assertIsNone(ratio_of_means([{0: 1.0}, {0: 1.0}], [{0: 1.0}, {1: 1.0}]))
        with self.assertRaises(ValueError):
            ratio_of_means([{0: 1.0}], [])


def run_of(name):
    return Run(Kind.TIMED, Program(name, (name,)))


class Quantities(unittest.TestCase):
    def setUp(self):
        self.samples = Samples()
        for index in range(5):
            self.samples.add(run_of("a").key, index, {"cpu": 2.0 + index})
            self.samples.add(run_of("b").key, index, {"cpu": 1.0 + index / 2})
        self.a, self.b = (Measured(run_of(name), "cpu") for name in "ab")

    def test_difference_and_geometric_mean(self):
        less = Difference(self.a, self.b)
        self.assertEqual(less.series(self.samples), {i: 1.0 + i / 2 for i in range(5)})
        self.assertEqual(Ratio(less, self.b).estimate(self.samples).value, 1.0)
        mean = GeometricMean((Ratio(self.a, self.b), Ratio(self.b, self.a)))
        self.assertAlmostEqual(mean.estimate(self.samples).value, 1.0)
        self.assertEqual(mean.measured(), [self.a, self.b, self.b, self.a])

    def test_ratio_and_average(self):
        self.assertEqual(Ratio(self.a, self.b).estimate(self.samples), Estimate(2.0, 2.0, 2.0, 5))
        both = Average((Ratio(self.a, self.b), Ratio(self.b, self.b)))
        self.assertEqual(both.estimate(self.samples).value, 1.5)
        self.assertEqual([leaf.run.program.name for leaf in both.measured()], ["a", "b", "b", "b"])

    def test_average_over_average(self):
        """The ratio of the two averages as they are shown, which is not that of each program's."""
        top = Average((Ratio(self.a, self.b), Ratio(self.b, self.a)))  # 2 and 1/2
        bottom = Average((Ratio(self.b, self.b), Ratio(self.a, self.b)))  # 1 and 2
        both = AverageOverAverage(top, bottom)
        shown = [one.estimate(self.samples).value for one in (top, bottom)]
        self.assertEqual(both.estimate(self.samples).value, shown[0] / shown[1])
        self.assertEqual(both.estimate(self.samples), Estimate(2.5 / 3, 2.5 / 3, 2.5 / 3, 5))
        self.assertEqual(both.measured(), top.measured() + bottom.measured())

    def test_best_and_worst_case(self):
        both = (Ratio(self.a, self.b), Ratio(self.b, self.b))
        self.assertEqual(Lowest(both).estimate(self.samples).value, 1.0)
        self.assertEqual(Highest(both).estimate(self.samples).value, 2.0)
        self.assertNotEqual(Lowest(both), Highest(both))

    def test_a_function_of_medians_has_their_interval(self):
        def apart(values):
            return max(values) / min(values) - 1

        # One is 10% above the other in half of the rounds, which two of five draws may miss.
        for index, high in enumerate((1.1, 1.0, 1.1, 1.0, 1.1)):
            self.samples.add(run_of("even").key, index, {"cpu": 1.0})
            self.samples.add(run_of("odd").key, index, {"cpu": high})
        even, odd = (Measured(run_of(name), "cpu") for name in ("even", "odd"))
        spread = OfMedians(apart, (even, odd))
        estimate = spread.estimate(self.samples)
        self.assertAlmostEqual(estimate.value, 0.1)
        self.assertEqual((estimate.low, estimate.samples), (0.0, 5))
        self.assertIsNone(relation.AtMost(0.05).judge(estimate))
        self.assertEqual(spread.measured(), [even, odd])

    def test_functions_of_medians_draw_the_same_rounds_of_all(self):
        """Both double from round to round: the one is always twice the other."""
        ratio = OfMedians(lambda values: values[0] / values[1], (self.a, self.b))
        self.assertEqual(ratio.estimate(self.samples), Estimate(2.0, 2.0, 2.0, 5))

    def test_functions_of_medians_without_a_value(self):
        none = OfMedians(lambda values: None, (self.a, self.b))
        lacking = OfMedians(sum, (self.a, Measured(run_of("c"), "cpu")))
        for quantity in (none, lacking, OfMedians(sum, ())):
            self.assertIsNone(quantity.estimate(self.samples))
        self.samples.add(run_of("once").key, None, {"cpu": 3.0})
        once = Measured(run_of("once"), "cpu")
        self.assertEqual(OfMedians(sum, (once, once)).estimate(self.samples).value, 6.0)
        self.assertEqual(OfMedians(sum, (self.a, once)).estimate(self.samples).value, 7.0)

    def test_missing_is_none(self):
        other = Measured(run_of("c"), "cpu")
        average, missing = (Average((Ratio(self.a, one),)) for one in (self.b, other))
        over = (AverageOverAverage(average, missing), AverageOverAverage(missing, average))
        for quantity in (other, Ratio(self.a, other), missing, *over):
            self.assertIsNone(quantity.estimate(self.samples))
        self.assertIsNone(Measured(run_of("a"), "nothing").estimate(self.samples))


class Judgements(unittest.TestCase):
    def test_conditions_look_at_the_whole_interval(self):
        for condition, yes, no in (
            (relation.AtMost(1.0), (0.8, 0.9), (1.1, 1.2)),
            (relation.AtLeast(1.0), (1.1, 1.2), (0.8, 0.9)),
            (relation.WithinFactor(2, 10.0), (5.0, 20.0), (20.5, 30.0)),
        ):
            self.assertIs(condition.judge(Estimate(0, *yes, 9)), True)
            self.assertIs(condition.judge(Estimate(0, *no, 9)), False)
        self.assertIsNone(relation.AtMost(1.0).judge(Estimate(1.0, 0.9, 1.1, 9)))
        self.assertIsNone(relation.AtLeast(1.0).judge(Estimate(1.0, 0.9, 1.1, 9)))
        self.assertIsNone(relation.WithinFactor(2, 10.0).judge(Estimate(1.0, 4.0, 6.0, 9)))
        self.assertIs(relation.WithinFactor(2, 10.0).judge(Estimate(0, 1.0, 4.9, 9)), False)

    def test_words_of_an_exact_value(self):
        self.assertEqual(relation.Between(16, 16).words("count"), "exactly 16")
        self.assertEqual(relation.Between(16, 17).words("count"), "from 16 to 17")

    def test_a_bound_can_only_refute(self):
        bound = relation.BoundAtLeast(1.0)
        self.assertIs(bound.judge(Estimate(0.8, 0.7, 0.9, 9)), False)
        for low, high in ((1.1, 1.2), (0.9, 1.1)):
            self.assertIsNone(bound.judge(Estimate(low, low, high, 9)))

    def judge(self, limit, name="a", trial=False, premise=(), reason=""):
        samples = Samples()
        for index in range(5):
            samples.add(run_of("a").key, index, {"cpu": 1.5})
        part = Part(
            "it", Measured(run_of(name), "cpu"), relation.AtMost(limit), paper=1.2, unit="s"
        )
        claim = Relation("Layers are fast", (part,), premise, reason)
        return relation.judge(claim, samples, trial)

    def test_sentence_has_verdict_and_both_numbers(self):
        verdict, sentence = self.judge(2.0)
        self.assertEqual(verdict, "reproduced")
        for word in ("Layers are fast: reproduced", "1.500 s", "1.200 s", "at most 2.000 s"):
            self.assertIn(word, sentence)

    def test_other_verdicts(self):
        self.assertEqual(self.judge(1.0)[0], "not reproduced")
        self.assertEqual(self.judge(1.0, name="b")[0], "not measured")
        self.assertEqual(self.judge(1.0, trial=True)[0], "not judged")

    def test_a_reason_is_told_where_a_claim_is_not_found(self):
        unfounded = (Part("loss", Measured(run_of("b"), "cpu"), relation.AtLeast(1)),)
        for words, told in (
            ({"limit": 1.0}, True),
            ({"limit": 1.0, "premise": unfounded}, True),
            ({"limit": 2.0}, False),
            ({"limit": 1.0, "name": "b"}, False),
            ({"limit": 1.0, "trial": True}, False),
        ):
            _, sentence = self.judge(**words, reason="the moon is full")
            self.assertEqual(sentence.endswith(" What is known of it: the moon is full."), told, words)
            self.assertNotIn("What is known", self.judge(**words)[1])

    def test_without_its_premise_a_claim_is_undecided(self):
        def premise(limit, name="a"):
            return (Part("loss", Measured(run_of(name), "cpu"), relation.AtLeast(limit)),)

        for limit in (1.0, 2.0):
            founded = self.judge(limit, premise=premise(1.5))
            self.assertEqual(founded, self.judge(limit))
            for unfounded in (premise(1.6), premise(1.5, "b")):
                verdict, sentence = self.judge(limit, premise=unfounded)
                self.assertEqual(verdict, "undecided")
                self.assertIn("not found: loss", sentence)
        self.assertEqual(self.judge(1.0, "b", premise=premise(1.6))[0], "not measured")
        self.assertEqual(self.judge(1.0, trial=True, premise=premise(1.6))[0], "not judged")

    def test_a_failing_part_fails_the_relation(self):
        self.assertEqual(relation.verdict_of([True, None, True]), "undecided")
        self.assertEqual(relation.verdict_of([True, "missing"]), "not measured")
        self.assertEqual(relation.verdict_of([True, "missing", False, None]), "not reproduced")
        self.assertEqual(relation.verdict_of([True, True]), "reproduced")


if __name__ == "__main__":
    lab_support.main()
