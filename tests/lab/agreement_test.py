"""What counts as a contradiction between `mmt check` and `mmt bench`: made-up results that have to."""

import unittest

import lab_support  # goes first: it finds mmt_lab
import agreement
from agreement import PLAIN, Benched, Checked, Speed, contradictions, false_words

FASTER, EVEN, SLOWER = Speed(1.3, 1.25, 1.35), Speed(1.0, 0.99, 1.01), Speed(0.8, 0.77, 0.83)


def bench(**speeds):
    """Seven runs of each mode, as many times as fast as the plain program, and hardly noisy."""
    noise = [1.0, 1.01, 0.99, 1.005, 0.995, 1.008, 0.992]
    times = {PLAIN: dict(enumerate(noise))}
    for mode, speed in speeds.items():
        times[mode] = {at: one / speed for at, one in enumerate(noise[::-1])}
    return Benched(times)


def gain(mode="native", **speeds):
    return Checked("gain", mode, speeds)


def none(answer="no_gain", **speeds):
    return Checked(answer, None, speeds)


class Contradictions(unittest.TestCase):
    def assert_contradiction(self, checked, benched, fragment, **options):
        found = contradictions(checked, benched, **options)
        self.assertTrue(any(fragment in one for one in found), found)

    def test_both_say_the_same(self):
        for checked, benched in (
            (gain(native=FASTER, glibc=EVEN), bench(native=1.3, glibc=1.0)),
            (gain("glibc", native=SLOWER, glibc=FASTER), bench(native=0.8, glibc=1.3)),
            (none(native=EVEN, glibc=EVEN), bench(native=1.0, glibc=1.0)),
            (none("slower", native=SLOWER, glibc=SLOWER), bench(native=0.8, glibc=0.8)),
            (none("too_little", native=EVEN), bench(native=1.0, glibc=1.0)),
            (none("cannot"), Benched(problem="it has an allocator of its own")),
        ):
            self.assertEqual(contradictions(checked, benched), [], checked)

    def test_intervals_of_the_native_heap_apart(self):
        for measured in (1.6, 1.1):
            checked = gain(native=FASTER, glibc=EVEN)
            self.assert_contradiction(checked, bench(native=measured, glibc=1.0), "native: 1.30")

    def test_intervals_of_the_other_mode_apart(self):
        checked = gain(native=FASTER, glibc=EVEN)
        self.assert_contradiction(checked, bench(native=1.3, glibc=0.9), "--backend glibc: 1.00")

    def test_apart_by_less_than_anybody_cares_for(self):
        close = Speed(1.0, 0.999, 1.001)
        self.assertEqual(contradictions(none(native=close), bench(native=1.015)), [])

    def test_a_gain_that_bench_does_not_see(self):
        wide = Speed(1.3, 1.05, 1.9)
        self.assert_contradiction(
            gain(native=wide), bench(native=0.9), "the plain program is 1.11 ("
        )

    def test_a_mode_is_recommended_and_the_other_is_faster(self):
        wide = Speed(1.3, 1.05, 1.9)
        self.assert_contradiction(
            gain(native=wide, glibc=wide), bench(native=1.2, glibc=1.4), "--backend glibc is 1.17 ("
        )
        self.assert_contradiction(
            gain("glibc", native=wide, glibc=wide), bench(native=1.4, glibc=1.2), "native is 1.17 ("
        )

    def test_the_native_heap_may_be_a_little_slower_than_the_other_mode(self):
        checked = gain(native=Speed(1.3, 1.2, 1.4), glibc=Speed(1.33, 1.2, 1.4))
        self.assertEqual(contradictions(checked, bench(native=1.3, glibc=1.34)), [])

    def test_nothing_is_recommended_and_a_mode_is_faster(self):
        wide = Speed(1.05, 0.9, 1.5)
        for answer in ("no_gain", "too_little", "slower", "waits"):
            checked = none(answer, native=wide)
            self.assert_contradiction(checked, bench(native=1.2), "native is 1.20 (")
            # What `mmt check` spares itself counts, too.
            self.assert_contradiction(checked, bench(native=1.0, glibc=1.2), "--backend glibc is 1.20 (")

    def test_what_is_not_decided_contradicts_only_other_intervals(self):
        checked = none("undecided", native=Speed(1.1, 0.9, 1.4))
        self.assertEqual(contradictions(checked, bench(native=1.3)), [])
        self.assert_contradiction(checked, bench(native=1.6), "native: 1.10")

    def test_who_cannot(self):
        self.assert_contradiction(none("cannot"), bench(native=1.0), "ran it 1 ways")
        failed = Benched(bench().times, "mmt: exit status 1")
        self.assert_contradiction(gain(native=FASTER), failed, "could not: mmt: exit status 1")

    def test_an_answer_that_is_wrong_whatever_was_measured(self):
        self.assert_contradiction(
            none("no_gain", native=EVEN), bench(native=1.0), "answers 'no_gain', not 'waits'", expected=("waits",)
        )

    def test_noise_is_no_contradiction(self):
        noisy = {PLAIN: dict(enumerate([1, 1.4, 0.8, 1.2, 0.9])), "native": dict(enumerate([0.9, 1.1, 1, 0.7, 1.3]))}
        self.assertEqual(contradictions(none(native=EVEN), Benched(noisy)), [])

    def test_too_few_runs_show_nothing(self):
        few = {PLAIN: {0: 1.0, 1: 1.0}, "native": {0: 0.5, 1: 0.5}}
        self.assertEqual(contradictions(none(native=EVEN), Benched(few)), [])


class Words(unittest.TestCase):
    def test_true_ones(self):
        told = "This program gains: 1.30 times as fast (1.25 to 1.35):"
        self.assertEqual(list(false_words(Checked("gain", "native", {"native": FASTER}, told))), [])

    def test_false_ones(self):
        for checked, fragment in (
            (Checked("gain", None, {"native": FASTER}), "the mode none"),
            (Checked("no_gain", "native", {"native": EVEN}), "the mode native"),
            (Checked("gain", "native", {"native": FASTER}, "1.40 times as fast"), "is not of native"),
            (Checked("gain", "glibc", {"native": FASTER}, "1.30 times as fast by --backend glibc"), "is not of --b"),
            (Checked("no_gain", None, {}, "This program allocates", 10), "it allocates 10 times"),
            (Checked("slower", None, {"native": EVEN}, "but MMT makes it slower"), "not all modes"),
            (Checked("gain", "native", {"native": EVEN}, "This program gains"), "no mode is faster"),
        ):
            self.assertTrue(any(fragment in one for one in false_words(checked)), checked)


class Reports(unittest.TestCase):
    """What the two commands write, to what is compared."""

    def test_of_check(self):
        modes = {"native": {"speed": 1.3, "interval": [1.25, 1.35]}, "glibc": {"speed": 1.0, "interval": None}}
        told = {"answer": "gain", "mode": "native", "sentence": "s", "modes": modes, "calls": {"allocations": 7}}
        self.assertEqual(agreement.checked_of(told), Checked("gain", "native", {"native": FASTER}, "s", 7))

    def test_of_bench(self):
        cells = [
            {"allocator": name, "problem": None, "metrics": {"wall": {"samples": [{"round": 0, "value": wall}]}}}
            for name, wall in (("mmt", 1.0), ("glibc", 2.0))
        ]
        cells.append({"allocator": "glibc+mmt", "problem": "exit status 1", "metrics": {}})
        found = agreement.benched_of({"programs": [{"cells": cells}]})
        self.assertEqual(found, Benched({PLAIN: {0: 2.0}, "native": {0: 1.0}}, "glibc+mmt: exit status 1"))

    def test_summary(self):
        answers = {"a": "gain", "b": "undecided", "c": "cannot"}
        self.assertEqual(agreement.summary(answers, [], 2), (0, "2 of 3 decided; contradictions: none"))
        self.assertEqual(agreement.summary(answers, ["a"], 2), (1, "2 of 3 decided; contradictions: a"))
        self.assertEqual(agreement.summary(answers, [], 3)[0], 1)

    def test_rows_name_all_modes(self):
        text = "\n".join(agreement.rows(gain(native=FASTER), bench(native=1.3, glibc=1.1)))
        self.assertRegex(text, r"native +1\.30 \(1\.25 to 1\.35\) +1\.3\d? \(")
        self.assertRegex(text, r"--backend glibc +not measured +1\.1\d? \(")


if __name__ == "__main__":
    lab_support.main()
