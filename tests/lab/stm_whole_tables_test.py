"""Relations of the STM study that speak of whole tables: best and worst, how far apart, what varies most."""

import unittest

import lab_support
from mmt_lab.study import relation
from mmt_lab.studies.stm import allocators, best_shift, figure_7, table_6, table_7
from stm_study_test import judged, judged_by_round


def judged_of_four(experiment, claim, metrics):
    """The same, where only the paper's four run."""
    known = allocators.FOUR
    return judged(experiment, claim, lambda run: metrics(run) if run.allocator in known else {})


class Judged(unittest.TestCase):
    def test_best_and_worst_are_those_of_the_paper(self):
        """All are, or Genome's are changed."""

        def metrics(run, changed=""):
            words = run.program.command
            application = words[words.index("--application") + 1]
            names = {of: name for name, of in allocators.PAPERS.items()}
            best, worst, *_ = table_6.PAPER[application]
            seconds = {best: 1.0, worst: 2.0}.get(names[run.allocator], 1.5)
            return {"reported.seconds": 3.0 - seconds if application == changed else seconds}

        claim = "The best and the worst"
        self.assertEqual(judged_of_four(table_6.EXPERIMENT, claim, metrics), relation.REPRODUCED)
        found = judged_of_four(table_6.EXPERIMENT, claim, lambda run: metrics(run, "genome"))
        self.assertEqual(found, relation.NOT_REPRODUCED)

    def test_which_differ_most_and_least(self):
        """Yada's four differ by 170%, Labyrinth's by 9.6%, as in the paper; or all alike."""

        def metrics(run, alike=False):
            words = run.program.command
            difference = 0.5 if alike else table_6.PAPER[words[words.index("--application") + 1]][2]
            return {"reported.seconds": 1.0 + difference * (run.allocator == allocators.HOARD)}

        for alike, verdict in ((False, relation.REPRODUCED), (True, relation.NOT_REPRODUCED)):
            found = judged_of_four(
                table_6.EXPERIMENT, "as far apart as in", lambda run, of=alike: metrics(run, of)
            )
            self.assertEqual(found, verdict)
        self.assertEqual(judged_of_four(table_6.EXPERIMENT, "furthest apart", metrics), relation.REPRODUCED)

    def test_whose_rounds_vary_most(self):
        def metrics(run, index, varying):
            words = run.program.command
            wide = words[words.index("--application") + 1] == varying
            return {"reported.seconds": 1.0 + index * (0.1 if wide else 0.01)}

        for varying, verdict in (("bayes", relation.REPRODUCED), ("genome", relation.NOT_REPRODUCED)):
            found = judged_by_round(
                figure_7.EXPERIMENT, "Bayes varies", lambda run, index, of=varying: metrics(run, index, of)
            )
            self.assertEqual(found, verdict)

    def test_shifts_of_their_own_gain_only_where_others_have_them_too(self):
        """Two applications, two shifts. What one allocator alone shows is noise, and no gain."""
        apart, noise, alike = [[1.0, 2.0], [2.0, 1.0]], [[1.0, 2.0], [1.0, 0.5]], [[1.0, 1.1], [1.0, 1.1]]
        self.assertGreater(best_shift.gain(apart, [apart]), 1.4)
        self.assertEqual(best_shift.gain(noise, [alike]), 1.0)

    def test_gains_by_caching_are_those_of_the_papers_times(self):
        """Yada's seconds without and with it, under Glibc and TBBMalloc."""
        papers = table_7._papers()
        for allocator, without, caching in ((allocators.GLIBC_2011, 11.2, 8.1), (allocators.TBB, 4.4, 4.2)):
            self.assertAlmostEqual(papers["yada", allocator], without / caching, delta=0.002)


if __name__ == "__main__":
    lab_support.main()
