"""The runner of cases tells what is expected from what is not."""

import unittest
import unittest.mock

import run_cases
from run_cases import Case, CaseError, Result

REPORT = "mmt: double-free: block 0x10: freed already\nmmt:   found by 0x20 (/bin/x+0x1)\n"


def is_as(outcomes, preset, status, out="end\n", err=""):
    return run_cases.is_as(outcomes.split(" | "), preset, Result(status, out, err))


class Heads(unittest.TestCase):
    def test_the_nearest_line_counts(self):
        case = Case(
            "// Text: more.\n// sizes: small 100 7\n// expect sync 100 7: ok | fault\n"
            "// expect: overflow\n// expect 7: underflow\n"
        )
        self.assertEqual(["small", "100", "7"], case.sizes)
        self.assertEqual(["overflow"], case.expected("async", "100"))
        self.assertEqual(["ok", "fault"], case.expected("sync", "100"))
        self.assertEqual(["ok", "fault"], case.expected("sync", "7"))
        self.assertEqual(["underflow"], case.expected("async", "7"))

    def test_what_is_not_known_is_told(self):
        for text in ("// expect: overflows\n", "// expect sycn: ok\n", "// sizes: small\n",
                     "// presets: sycn\n// expect: ok\n", "// expect sync: ok\n"):  # fmt: skip
            with self.assertRaises(CaseError, msg=text):
                Case(text)


class Outcomes(unittest.TestCase):
    def test_ok_is_silent(self):
        self.assertTrue(is_as("ok", "async", 0))
        self.assertFalse(is_as("ok", "async", 0, err="mmt: something\n"))
        self.assertFalse(is_as("ok", "async", 0, out=""))
        self.assertFalse(is_as("neutral", "sync", 2))

    def test_async_reports_and_goes_on(self):
        self.assertTrue(is_as("double-free", "async", 1, err=REPORT))
        self.assertFalse(is_as("double-free", "async", 0, err=REPORT))
        self.assertFalse(is_as("double-free", "async", 1, out="", err=REPORT))
        self.assertFalse(is_as("double-free", "async", -11, out="", err=REPORT))
        self.assertTrue(is_as("double-free | fault", "async", -11, out="", err=REPORT))
        self.assertFalse(is_as("double-free", "async", None, err=REPORT))

    def test_sync_ends_at_the_wrong_call(self):
        self.assertTrue(is_as("double-free", "sync", -6, out="", err=REPORT))
        self.assertFalse(is_as("double-free", "sync", -6, err=REPORT))
        self.assertFalse(is_as("double-free", "sync", 1, out="", err=REPORT))

    def test_the_first_report_counts(self):
        other = REPORT.replace("double-free", "overflow")
        self.assertFalse(is_as("double-free", "async", 1, err=other + REPORT))
        self.assertTrue(is_as("double-free | overflow", "async", 1, err=other + REPORT))
        self.assertTrue(is_as("double-free", "async", 1, err="the program's own\n" + REPORT))

    def test_once_is_one_report(self):
        self.assertTrue(is_as("double-free+once", "async", 1, err=REPORT))
        self.assertFalse(is_as("double-free+once", "async", 1, err=REPORT + REPORT))
        self.assertFalse(is_as("overflow+once", "async", 1, err=REPORT))

    def test_a_fault_has_no_report(self):
        self.assertTrue(is_as("fault", "async", -11, out=""))
        self.assertFalse(is_as("fault", "async", -11, out="", err=REPORT))
        self.assertFalse(is_as("fault", "async", -6, out=""))


class Tries(unittest.TestCase):
    def failures(self, outcome, *results):
        runner = run_cases.Runner("mmt", tries=5, seconds=1)
        found = Result(1, "end\n", REPORT)
        with unittest.mock.patch.object(run_cases, "run", side_effect=[*results, *[found] * 100]):
            runner.run("program", "async", "small", [outcome])
        return [failure[:2] for failure in runner.failures.values()]

    def test_a_fault_may_be_missed_once_in_many(self):
        missed = Result(0, "end\n", "")
        self.assertEqual([], self.failures("double-free"))
        self.assertEqual([], self.failures("double-free", missed))
        self.assertEqual([(2, 5)], self.failures("double-free", missed, missed))
        self.assertEqual([(1, 5)], self.failures("double-free", Result(-11, "", "")))
        self.assertEqual([(5, 5)], self.failures("ok"))


if __name__ == "__main__":
    unittest.main()
