"""How `mmt check` spends its budget, on a clock and runs that do not exist."""

import dataclasses
import unittest

import lab_support
from mmt_lab.check.facts import Facts
from mmt_lab.check.measuring import Measuring, Settings
from mmt_lab.measuring.launcher import RunFailed

FACTS = Facts("/x", None, None, False, (), 2, None, 1000.0, "timer.so", {"native": {}, "direct": {}, "glibc": {}})


class FakeRuns:
    """Each run takes `seconds`, by a clock of its own; a tenth of it in malloc, or `in_malloc`."""

    def __init__(self, seconds, in_malloc=0.1, failing=()):
        self.seconds = seconds
        self.in_malloc = in_malloc
        self.failing = failing
        self.now = 0.0
        self.order = []

    def _answer(self):
        self.now += self.seconds
        return {"wall": self.seconds, "cpu": self.seconds, "system": 0.0, "peak_rss": 1e6, "minor_faults": 100}

    def once(self, mode, observe=False):
        self.order.append((mode, observe))
        if mode in self.failing:
            raise RunFailed(f"{mode} fails")
        return self._answer()

    def counted(self):
        self.order.append(("counted", False))
        milliseconds = self.seconds * self.in_malloc * 1e3
        values = {"malloc_calls": 10, "malloc_call_total": milliseconds, "malloc_call_over10us": 0, "free_calls": 0}
        told = {name: {"value": value} for name, value in values.items()}
        return self._answer() | {
            "calls": {"processes": 1, "threads": 1, "empty_call_ns": 0, "values": told}
        }


class NoProgress:
    def show(self, *_):
        pass


def measure(runs, rounds=15, budget=60.0, facts=FACTS, has_input=True):
    settings = Settings(rounds, budget, 1, has_input)
    return Measuring(runs, facts, settings, NoProgress(), lambda: runs.now).run()


class Spending(unittest.TestCase):
    def test_a_short_program_gets_all_runs_and_warm_ups_are_not_counted(self):
        runs = FakeRuns(0.1)
        measured = measure(runs)
        self.assertEqual([measured.rounds(mode) for mode in ("plain", "native", "direct", "glibc")], [15] * 4)
        watched = [mode for mode, observe in runs.order if observe]
        self.assertEqual(watched, ["plain", "native", "direct", "glibc"])
        self.assertEqual(len(runs.order), 4 + 3 + 60)
        self.assertLessEqual(runs.now, 60)

    def test_every_round_has_all_modes_in_turn(self):
        runs = FakeRuns(0.1)
        measure(runs)
        order = [mode for mode, observe in runs.order if not observe and mode != "counted"]
        rounds = [order[at : at + 4] for at in range(0, len(order), 4)]
        self.assertTrue(all(sorted(one) == ["direct", "glibc", "native", "plain"] for one in rounds), rounds)
        self.assertGreater(len(set(map(tuple, rounds))), 1, "the order changes")

    def test_the_budget_is_kept(self):
        runs = FakeRuns(2.0)
        measured = measure(runs)
        self.assertLessEqual(runs.now, 60)
        self.assertGreaterEqual(measured.rounds("native"), 5)

    def test_a_long_program_has_no_run_to_spare_and_says_so(self):
        runs = FakeRuns(10.0)
        measured = measure(runs)
        self.assertEqual(measured.rounds("plain"), 1)
        self.assertEqual(runs.now, 50, "one counted, one of each mode")
        self.assertIn("gave 1 of 5 runs", " ".join(measured.remarks))

    def test_no_budget(self):
        runs = FakeRuns(100.0)
        self.assertEqual(measure(runs, rounds=6, budget=None).rounds("glibc"), 6)

    def test_little_malloc_one_mode(self):
        self.assertEqual(set(measure(FakeRuns(0.1, in_malloc=0.001)).series), {"plain", "native"})

    def test_a_mode_that_was_not_built(self):
        native = dataclasses.replace(FACTS, modes={"native": {}})
        self.assertEqual(set(measure(FakeRuns(0.1), facts=native).series), {"plain", "native"})

    def test_a_mode_that_fails_is_left_out(self):
        measured = measure(FakeRuns(0.1, failing=("native",)))
        self.assertEqual(set(measured.series), {"plain", "direct", "glibc"})
        self.assertEqual(measured.problems, {"native": "native fails"})

    def test_short_runs_are_told_with_an_empty_input(self):
        """What reads its input ends at once without one: 'cat' shows nothing then."""
        for seconds, has_input, expected in (
            (0.001, False, "its runs are short and have nothing to read (--input gives a file): give it more work"),
            (0.001, True, "its runs are short: give it more work"),
            (1.0, False, ""),
        ):
            remarks = " ".join(measure(FakeRuns(seconds), has_input=has_input).remarks)
            self.assertIn(expected, remarks)
            self.assertEqual("short" in remarks, bool(expected))

    def test_a_program_that_fails_plainly(self):
        with self.assertRaises(RunFailed):
            measure(FakeRuns(0.1, failing=("plain",)))


if __name__ == "__main__":
    lab_support.main()
