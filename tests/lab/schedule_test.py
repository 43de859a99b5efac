"""Order of runs and budget, with a clock that the test moves: what a session runs, and when."""

import dataclasses
import pathlib
import signal
import tempfile
import unittest
from unittest import mock

import lab_support
from mmt_lab.measuring import instruments, session
from mmt_lab.measuring import runs as running
from mmt_lab.study.experiment import Allocator, Inputs, Kind, Program, Run
from mmt_lab.command.failure import Interrupted
from mmt_lab.measuring.journal import Journal
from mmt_lab.measuring.launcher import RunFailed
from mmt_lab.measuring.schedule import Budget, order_of_round

RUNS = [
    Run(Kind.TIMED, Program(program, (program,)), Allocator(allocator))
    for program in ("p", "q", "r")
    for allocator in ("x", "y", "z")
]
ONCE = Run(Kind.SIZED, Program("p", ("p",)))


class Order(unittest.TestCase):
    def test_every_round_has_every_run_once(self):
        for index in range(20):
            order = order_of_round(RUNS, 1, index)
            self.assertCountEqual([run.key for run in order], [run.key for run in RUNS])

    def test_runs_of_a_program_stay_together(self):
        for index in range(20):
            names = [run.program.name for run in order_of_round(RUNS, 1, index)]
            self.assertEqual(names, sorted(names, key=names.index))

    def test_seeded(self):
        def orders(seed):
            return [[run.key for run in order_of_round(RUNS, seed, one)] for one in range(10)]

        self.assertEqual(orders(1), orders(1))
        self.assertNotEqual(orders(1), orders(2))

    def test_interleaved(self):
        """No allocator always runs first, and no program does."""
        orders = [order_of_round(RUNS, 1, index) for index in range(40)]
        self.assertEqual({order[0].program.name for order in orders}, {"p", "q", "r"})
        self.assertEqual({order[0].allocator.name for order in orders}, {"x", "y", "z"})


class NoProgress:
    def show(self, *_):
        pass


class Sessions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.now = 0.0
        self.measured = []
        self.failing = {}  # run key, or (run key, how many were measured before) -> what happens
        self.interrupt_at = None

    def measure(self, _bench, run):
        if len(self.measured) == self.interrupt_at:
            raise Interrupted(signal.SIGINT)
        failure = self.failing.get((run.key, len(self.measured)), self.failing.get(run.key))
        if failure:
            raise failure
        self.now += 10
        self.measured.append(run.key)
        return {"cpu": self.now}

    def session(self, runs=(ONCE, *RUNS), rounds=None, budget=None):
        settings = session.Settings(1, rounds, budget, 60, Inputs.DEFAULT, ())
        journal = Journal(self.folder, {"it": 1}, fresh=False)
        self.addCleanup(journal.close)
        one = session.Session(runs, None, journal, settings, NoProgress(), lambda: self.now)
        with (
            mock.patch.object(instruments, "measure", self.measure),
            mock.patch.object(running, "warm_up", self.measure),
            mock.patch.object(session.machine.Others, "cpus", lambda _: 0.0),
            mock.patch.object(session.machine, "cpu_times", lambda: (self.now / 4, self.now)),
        ):
            outcome = one.run()
        journal.close()
        return outcome

    def test_what_is_the_same_each_time_is_measured_once(self):
        outcome = self.session(rounds=4)
        self.assertEqual(self.measured.count(ONCE.key), 1)
        # One more: the warm-up, which comes before all that counts.
        self.assertEqual(self.measured.count(RUNS[0].key), 1 + 4)
        self.assertCountEqual(self.measured[1:10], [run.key for run in RUNS])
        self.assertEqual((outcome.rounds, outcome.complete), (4, True))
        self.assertEqual(
            outcome.remarks,
            ["measured for 7.7 minutes; the host kept 25.0% of the CPUs' time meanwhile (steal of /proc/stat)"],
        )

    def test_the_warm_up_is_not_counted(self):
        outcome = self.session([RUNS[0]], rounds=3)
        self.assertEqual(list(outcome.samples.series(RUNS[0], "cpu").values()), [20, 30, 40])

    def test_a_program_on_an_allocator_is_warmed_up_once(self):
        sampled = dataclasses.replace(RUNS[0], kind=Kind.SAMPLED)
        outcome = self.session([RUNS[0], sampled, RUNS[1]], rounds=1)
        self.assertEqual(self.measured[:2], [RUNS[0].key, RUNS[1].key])
        self.assertCountEqual(self.measured[2:], [RUNS[0].key, sampled.key, RUNS[1].key])
        self.assertEqual(outcome.rounds, 1)

    def test_a_warm_up_that_fails_is_of_all_its_runs(self):
        sampled = dataclasses.replace(RUNS[0], kind=Kind.SAMPLED)
        self.failing[RUNS[0].key, 0] = RunFailed("no proof")
        outcome = self.session([RUNS[0], sampled, RUNS[1]], rounds=1)
        self.assertEqual(outcome.problems, {RUNS[0].key: "no proof", sampled.key: "no proof"})

    def test_rounds_fill_the_budget(self):
        # 9 runs of 10 s: warm-up 90 s, then 90 s a round: 10 of them end at 990 s.
        outcome = self.session(RUNS, budget=1000 / 60)
        self.assertEqual(outcome.rounds, 10)
        self.assertLessEqual(self.now, 1000)
        self.assertIn("10 of 15 rounds", outcome.remarks[0])

    def test_a_budget_may_bring_more_rounds_than_are_asked_for_without(self):
        outcome = self.session([RUNS[0]], budget=300 / 60)
        self.assertEqual((outcome.rounds, outcome.complete, len(outcome.remarks)), (29, True, 1))

    def test_at_least_five_rounds(self):
        outcome = self.session(RUNS, budget=1)
        self.assertEqual((outcome.rounds, outcome.complete), (5, False))
        self.assertIn("5 of 15 rounds", outcome.remarks[0])
        self.assertIn("8.0 minutes more than the budget", outcome.remarks[1])

    def test_a_study_that_goes_on_keeps_its_budget(self):
        self.interrupt_at = 9 + 12
        self.assertEqual(self.session(RUNS, budget=1).rounds, 1)
        self.interrupt_at = None
        with mock.patch.object(session.durations, "of_runs", lambda *_: 70):
            outcome = self.session(RUNS, budget=1)
        self.assertEqual((outcome.rounds, len(self.measured)), (1, 21))
        self.assertIn("the budget of 1 minutes cut the study to 1 of 15 rounds", outcome.remarks[-1])
        # What is left of the second round takes 60 s, after a warm-up of 90.
        outcome = self.session(RUNS, budget=160 / 60)
        self.assertEqual((outcome.rounds, len(self.measured)), (2, 21 + 9 + 6))

    def test_rounds_bound_a_budget(self):
        self.assertEqual(self.session([RUNS[0]], rounds=2, budget=10).rounds, 2)

    def test_goes_on_where_it_was_interrupted(self):
        self.interrupt_at = 25
        first = self.session(RUNS, rounds=20)
        before = len(self.measured)
        self.assertEqual(first.interrupted, 130)
        self.assertFalse(first.complete)
        self.interrupt_at = None
        second = self.session(RUNS, rounds=3)
        self.assertEqual((second.rounds, second.complete), (3, True))
        # Nothing twice: the first session's, the second's warm-up, and what was left of 27 runs.
        counted_before = before - 9
        self.assertEqual(len(self.measured) - before, 9 + 27 - counted_before)

    def test_the_order_after_an_interruption_is_the_one_it_would_have_been(self):
        self.session(RUNS, rounds=3)
        whole = self.measured[9:]
        self.measured = []
        (self.folder / "journal.jsonl").unlink()
        self.interrupt_at = 9 + 5
        self.assertEqual(self.session(RUNS, rounds=3).interrupted, 130)
        first = self.measured[9:]
        self.interrupt_at = None
        self.measured = []
        self.session(RUNS, rounds=3)
        self.assertEqual(first + self.measured[9:], whole)

    def test_a_finished_study_measures_nothing(self):
        self.session(rounds=3)
        before = len(self.measured)
        again = self.session(rounds=3)
        self.assertEqual((again.rounds, len(again.remarks)), (3, 1))
        self.assertEqual(len(self.measured), before)

    def test_a_run_that_fails_is_left_out_and_the_rest_goes_on(self):
        self.failing[RUNS[0].key] = RunFailed("there is no program 'p'")
        outcome = self.session(rounds=3)
        self.assertEqual(outcome.problems, {RUNS[0].key: "there is no program 'p'"})
        self.assertEqual(outcome.samples.series(RUNS[0], "cpu"), {})
        self.assertEqual(len(outcome.samples.series(RUNS[1], "cpu")), 3)

    def test_one_failure_drops_all_samples_of_the_run(self):
        self.failing[RUNS[0].key, 1] = RunFailed("exit status 1")
        outcome = self.session([RUNS[0]], rounds=5)
        self.assertEqual(outcome.samples.series(RUNS[0], "cpu"), {})
        self.assertEqual((outcome.rounds, outcome.complete), (0, True))


class Estimates(unittest.TestCase):
    def test_time_left(self):
        now = [0.0]
        budget = Budget(10, None, lambda: now[0])
        self.assertEqual(budget.seconds_left(4, 30), 180)
        bounded = Budget(10, 2, lambda: now[0])
        now[0] = 90.0
        self.assertEqual(bounded.seconds_left(4, 30), 30)
        self.assertEqual(bounded.seconds_left(0, 30), 150)

    def test_a_warm_up_is_its_share_of_all_rounds(self):
        """So that the bar does not go back as the first round begins."""
        now = [0.0]
        budget = Budget(7, None, lambda: now[0])
        self.assertEqual(budget.warm_up_share(1, 0.5), 1 / 16)
        self.assertEqual(budget.warm_up_share(1, 1.0), 1 / 8)
        bounded = Budget(7, 2, lambda: now[0])
        now[0] = 60.0
        self.assertEqual(bounded.warm_up_share(1, 1.0), 0.5)


if __name__ == "__main__":
    lab_support.main()
