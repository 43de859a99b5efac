"""Numbers of a simulation as people read them: never with an exponent."""

import unittest

import lab_support
from mmt_lab.simulate import words
from mmt_lab.simulate.describing import ModelName
from mmt_lab.simulate.result import Simulation


class Words(unittest.TestCase):
    def test_sizes_go_on_to_larger_units(self):
        for value, text in (
            (0, "0 B"), (1023, "1023 B"), (1024, "1.00 KiB"), (1023 * 1024, "1023 KiB"),
            (2**20 - 1, "1.00 MiB"), (2**30, "1.00 GiB"), (1023.7 * 2**30, "1.00 TiB"), (1020 * 2**30, "1020 GiB"),
            (2**40, "1.00 TiB"), (2**62, "4.00 EiB"), (2**75, "32768 EiB"),
        ):  # fmt: skip
            self.assertEqual(words.size(value), text)

    def test_counts(self):
        for value, text in (
            (7, "7"), (1.5, "1.50"), (9999, "9999"), (12345, "12.3k"), (999_999, "1M"), (2_345_678, "2.35M"),
            (999_700_000, "1G"), (4 * 10**15, "4P"), (10**18, "1000P"),
        ):  # fmt: skip
            self.assertEqual(words.count(value), text)

    def test_seconds(self):
        for value, text in ((0, "0 s"), (0.00001, "0.000010 s"), (0.25, "0.25 s"), (1234.5, "1234 s")):
            self.assertEqual(words.seconds(value), text)

    def test_trees_that_are_not_the_papers_are_told(self):
        def told(*models):
            return words.sentences(Simulation([], [ModelName(*one) for one in models]))

        tree, list_fit = ("abt-ff", {"balance": "scapegoat"}), ("sqf-ff", {})
        self.assertEqual(told(("abt-ff:paper", {"balance": "none"}), list_fit), [])
        (one,) = told(tree, list_fit)
        self.assertEqual(one, "abt-ff: rebalanced trees; the paper's have balance=none.")
        (both,) = told(tree, list_fit, ("sbt-ff:balance=treap", {"balance": "treap"}))
        self.assertRegex(both, "^abt-ff and 1 more: rebalanced trees;")

    def test_nothing_is_no_number(self):
        self.assertEqual([words.size(None), words.count(None)], ["", ""])


if __name__ == "__main__":
    lab_support.main()
