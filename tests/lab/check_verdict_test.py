"""The verdict of `mmt check`: from numbers that are known to the answer."""

import dataclasses
import unittest

import lab_support
from mmt_lab.check.measured import calls_of
from mmt_lab.check.verdict import Answer, Evidence, Figures, judge

BUSY = Evidence(wall=1.0, cpu=1.0, busy=1.0, malloc_share=0.2, fault_share=0.05, allocations=10**6)


def figures(speed, low, high):
    return Figures(speed, (low, high), 1.0, 1.0)


def of(evidence=BUSY, **modes):
    verdict = judge(dataclasses.replace(evidence, modes=modes))
    return verdict.answer, verdict.mode


class Verdict(unittest.TestCase):
    def test_an_obstacle_decides(self):
        evidence = dataclasses.replace(BUSY, obstacle="it is static")
        self.assertEqual(of(evidence, native=figures(2, 1.9, 2.1)), (Answer.CANNOT, None))

    def test_no_mode_that_works(self):
        self.assertEqual(of(), (Answer.CANNOT, None))

    def test_gain(self):
        self.assertEqual(of(native=figures(1.3, 1.28, 1.33)), (Answer.GAIN, "native"))

    def test_gain_of_what_allocates_little(self):
        """What the runs show goes before what its shares let expect."""
        little = dataclasses.replace(BUSY, malloc_share=0.001, fault_share=0.001)
        self.assertEqual(of(little, native=figures(1.3, 1.28, 1.33)), (Answer.GAIN, "native"))

    def test_the_native_heap_unless_another_mode_is_clearly_faster(self):
        native = figures(1.2, 1.15, 1.25)
        self.assertEqual(of(native=native, glibc=figures(1.23, 1.2, 1.3))[1], "native")
        self.assertEqual(of(native=native, glibc=figures(1.4, 1.3, 1.5))[1], "glibc")
        slower = figures(0.9, 0.8, 0.95)
        self.assertEqual(of(native=slower, glibc=figures(1.1, 1.05, 1.2))[1], "glibc")

    def test_of_two_as_fast_the_one_that_takes_less_cpu(self):
        with_thread, without = Figures(1.21, (1.2, 1.25), 1.1, 1.0), figures(1.2, 1.15, 1.25)
        self.assertEqual(of(native=with_thread, direct=without)[1], "direct")
        self.assertEqual(of(native=dataclasses.replace(with_thread, cpu=1.01), direct=without)[1], "native")
        self.assertEqual(of(native=dataclasses.replace(with_thread, speed=1.4), direct=without)[1], "native")

    def test_differences_that_nobody_cares_for(self):
        self.assertEqual(of(native=figures(1.01, 1.005, 1.015))[0], Answer.NO_GAIN)
        self.assertEqual(of(native=figures(0.99, 0.985, 0.995))[0], Answer.NO_GAIN)

    def test_slower_only_when_all_modes_are(self):
        slow, same = figures(0.9, 0.85, 0.95), figures(1.0, 0.99, 1.01)
        self.assertEqual(of(native=slow, glibc=slow)[0], Answer.SLOWER)
        self.assertEqual(of(native=slow, glibc=same)[0], Answer.NO_GAIN)

    def test_wide_intervals_decide_nothing(self):
        self.assertEqual(of(native=figures(1.1, 0.9, 1.3))[0], Answer.UNDECIDED)

    def test_a_busy_machine_decides_nothing(self):
        crowded = dataclasses.replace(BUSY, is_crowded=True)
        for speed in (figures(1.45, 1.17, 1.6), figures(0.96, 0.92, 0.97), figures(1.0, 0.99, 1.01)):
            self.assertEqual(of(crowded, native=speed), (Answer.UNDECIDED, None))
        little = dataclasses.replace(crowded, malloc_share=0.003)
        self.assertEqual(of(little, native=figures(1.0, 0.99, 1.01))[0], Answer.TOO_LITTLE, "by counts")
        self.assertEqual(of(little, native=figures(1.3, 1.2, 1.4))[0], Answer.UNDECIDED)

    def test_few_runs_decide_nothing(self):
        self.assertEqual(of(native=Figures(2.0, None, 1.0, 1.0))[0], Answer.UNDECIDED)

    def test_a_start_full_of_page_faults_is_no_allocation(self):
        start = dataclasses.replace(BUSY, malloc_share=0.0, fault_share=0.12, allocations=0)
        self.assertEqual(of(start, native=figures(0.8, 0.7, 0.9))[0], Answer.TOO_LITTLE)

    def test_chance_is_no_gain(self):
        fast = figures(2.2, 1.01, 5.4)
        for wall, allocations in ((0.002, 233), (1.0, 0)):
            few = dataclasses.replace(BUSY, wall=wall, allocations=allocations)
            self.assertEqual(of(few, native=fast), (Answer.TOO_LITTLE, None))
        large = dataclasses.replace(BUSY, allocations=233)
        self.assertEqual(of(large, native=fast)[0], Answer.GAIN, "few that are large")

    def test_without_gain_the_native_heap_tells_why(self):
        slow, slower = figures(0.87, 0.85, 0.9), figures(0.55, 0.5, 0.6)
        verdict = judge(dataclasses.replace(BUSY, modes={"native": slower, "glibc": slow}))
        self.assertEqual((verdict.answer, verdict.shown), (Answer.SLOWER, "native"))

    def test_little_allocation(self):
        little = dataclasses.replace(BUSY, malloc_share=0.003, fault_share=0.001)
        self.assertEqual(of(little, native=figures(1.1, 0.9, 1.3))[0], Answer.TOO_LITTLE)
        few = dataclasses.replace(BUSY, malloc_share=0.05, fault_share=0.12, allocations=40)
        self.assertEqual(of(few, native=figures(0.8, 0.7, 0.9))[0], Answer.TOO_LITTLE)
        unknown = dataclasses.replace(little, malloc_share=None, allocations=None)
        self.assertEqual(of(unknown, native=figures(1.0, 0.99, 1.01))[0], Answer.NO_GAIN)

    def test_waiting(self):
        idle = dataclasses.replace(BUSY, busy=0.002)
        self.assertEqual(of(idle, native=figures(1.0, 0.99, 1.01))[0], Answer.WAITS)
        self.assertEqual(of(idle, native=figures(1.1, 1.05, 1.2))[0], Answer.WAITS, "chance")


class Calls(unittest.TestCase):
    """10 calls of 1 ms each and one that was long."""

    def answer(self, long_ms, system):
        values = {"malloc_calls": 6, "malloc_call_total": 5 + long_ms, "malloc_call_over10us": long_ms,
                  "free_calls": 5, "free_call_total": 5, "free_call_over10us": 0}  # fmt: skip
        told = {name: {"value": value, "unit": "ms"} for name, value in values.items()}
        return {"system": system, "calls": {"processes": 1, "threads": 2, "empty_call_ns": 1e5, "values": told}}

    def test_timing_itself_is_taken_off(self):
        calls = calls_of(self.answer(0, 0))
        self.assertAlmostEqual(calls.seconds, 10e-3 - 11 * 1e-4)
        self.assertEqual((calls.allocations, calls.calls, calls.threads), (6, 11, 2))

    def test_a_long_call_counts_for_what_the_kernel_did(self):
        self.assertAlmostEqual(calls_of(self.answer(500, 0.02)).seconds, 0.02 + 10e-3 - 11 * 1e-4)
        self.assertAlmostEqual(calls_of(self.answer(5, 0.02)).seconds, 0.005 + 10e-3 - 11 * 1e-4)

    def test_timing_never_takes_more_than_there_is(self):
        answer = self.answer(0, 0)
        answer["calls"]["empty_call_ns"] = 1e9
        self.assertEqual(calls_of(answer).seconds, 0)

    def test_no_library_no_calls(self):
        self.assertIsNone(calls_of({"system": 0.1}))


if __name__ == "__main__":
    lab_support.main()
