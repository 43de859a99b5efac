"""figures_readme.py: the best is bold where intervals part, and only there."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import figures_readme  # noqa: E402

LINE = figures_readme.Line("blocks", "large", "blocks", "wall")
GLIBC = [9.0] * 6
OURS = [2.0, 2.1, 2.2, 2.3, 2.4, 2.5]


def cells(line=LINE, **samples):
    return figures_readme.cells(samples, line, "{:.1f}".format)


class FiguresReadmeTest(unittest.TestCase):
    def test_an_interval_holds_95_percent(self):
        self.assertIsNone(figures_readme.interval([1, 2, 3, 4, 5]))
        self.assertEqual((1, 6), figures_readme.interval([6, 5, 4, 3, 2, 1]))
        self.assertEqual((2, 8), figures_readme.interval(range(1, 10)))
        self.assertEqual((6, 15), figures_readme.interval(range(1, 21)))

    def test_the_best_is_bold(self):
        row = cells(mmt=OURS, glibc=GLIBC, snmalloc=[3.0] * 6, jemalloc=[4.0] * 6)
        self.assertEqual(["blocks", "`mmt bench large --only blocks`", "**2.2**", "9.0", "3.0, snmalloc"], row)
        row = cells(mmt=OURS, glibc=GLIBC, snmalloc=[1.0] * 6)
        self.assertEqual(["2.2", "9.0", "**1.0**, snmalloc"], row[2:])

    def test_two_modes_whose_medians_differ_are_not_apart(self):
        row = cells(mmt=OURS, glibc=GLIBC, mimalloc=[6.0, 0.4, 6.0, 0.4, 6.0, 0.4])
        self.assertEqual(["2.2", "9.0", "3.2 (0.4 to 6.0), mimalloc"], row[2:])

    def test_few_rounds_are_not_judged(self):
        row = cells(mmt=OURS[:3], glibc=GLIBC[:3], mimalloc=[8.0] * 3)
        self.assertEqual(["2.1", "9.0", "8.0, mimalloc"], row[2:])

    def test_of_what_is_given_back_the_most_is_best(self):
        row = cells(LINE._replace(of="most"), mmt=OURS, glibc=GLIBC, mimalloc=[0.5] * 6, jemalloc=[0.1] * 6)
        self.assertEqual(["2.2", "**9.0**", "0.5, mimalloc"], row[2:])

    def test_a_mean_is_of_each_round(self):
        class Figures:
            samples = {
                ("programs/a", "wall"): {"mmt": {0: 1.0, 1: 2.0}, "glibc": {0: 4.0, 1: 2.0}},
                ("programs/b", "wall"): {"mmt": {0: 1.0, 1: 4.0}, "glibc": {0: 1.0, 1: 1.0}},
                ("programs/b", "cpu"): {"mmt": {0: 7.0}, "glibc": {0: 1.0}},
            }

        means = figures_readme.means_of(Figures, figures_readme.MEAN)
        self.assertEqual({"mmt": [0.5, 2.0], "glibc": [1.0, 1.0]}, {k: [round(x, 9) for x in v] for k, v in means.items()})


if __name__ == "__main__":
    unittest.main()
