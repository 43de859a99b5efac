"""How `mmt check` tells its answers: each in plain words, in lines of 80 columns."""

import unittest
import unittest.mock

import lab_support
from mmt_lab.check import words
from mmt_lab.check.document import Check
from mmt_lab.check.facts import Facts, Obstacle
from mmt_lab.check.measured import Calls, Measured
from mmt_lab.check.verdict import Evidence, Figures, judge

COMMAND = ["gawk", "-f", "two words.awk"]
CALLS = Calls(12_345_678, 24_000_000, 0.5, 3, 2)


def facts(**changes):
    values = {"path": "/usr/bin/gawk", "interpreter": None, "obstacle": None, "own_new": False,
              "bundled": (), "cpus": 2, "quota": None, "fault_ns": 700.0, "timer": "", "modes": {}}  # fmt: skip
    return Facts(**values | changes)


REMARKS = ("a remark that is long " * 5,)


def check(known=None, modes=None, problems=None, calls=CALLS, runs=7, remarks=REMARKS, **changes):
    """A check of a program that runs a second, `runs` times."""
    known = known or facts()
    evidence = Evidence(
        wall=1.0, cpu=1.0, malloc_share=0.25, fault_share=0.1, modes=modes or {}, problems=problems or {},
        allocations=calls.allocations if calls else None,
    )  # fmt: skip
    evidence = Evidence(**vars(evidence) | changes)
    measured = Measured(problems=problems or {}, calls=calls, remarks=list(remarks))
    answer = {"wall": 1.0, "cpu": 1.0, "system": 0.1, "peak_rss": 5e6, "minor_faults": 1234}
    for index in range(runs):
        for mode in ("plain", *(modes or {})):
            measured.add(mode, index, answer)
    return Check(COMMAND, known, measured, evidence, judge(evidence))


def fast(**changes):
    values = {"speed": 1.3, "interval": (1.25, 1.35), "cpu": 1.0, "memory": 1.0}
    return Figures(**values | changes)


EVEN = fast(speed=1.0, interval=(0.99, 1.01))


class Sentences(unittest.TestCase):
    def test_gain(self):
        told = check(modes={"native": fast()})
        self.assertEqual(
            words.sentence(told),
            "This program gains: 1.30 times as fast (1.25 to 1.35):",
        )
        self.assertIn("  mmt run -- gawk -f 'two words.awk'", words.lines(told))
        told = check(modes={"native": EVEN, "glibc": fast()})
        self.assertIn("  mmt run --backend glibc -- gawk -f 'two words.awk'", words.lines(told))

    def test_what_a_gain_costs(self):
        told = words.sentence(check(modes={"native": fast(cpu=1.4, memory=1.25)}))
        self.assertIn("for 1.4 times the CPU and 1.2 times the memory", told)

    def test_without_gain(self):
        little = {"malloc_share": 0.003, "fault_share": 0.001, "modes": {"native": EVEN}}
        told = words.sentence(check(**little))
        self.assertIn("enough to gain: 12.3 million allocations, 0.3% of its CPU time.", told)
        told = words.sentence(check(modes={"native": EVEN}, calls=Calls(1, 1, 0.01, 1, 1)))
        self.assertIn("enough to gain: 1 allocation, 25% of its CPU time.", told)
        self.assertIn("does not make it faster: 1.00", words.sentence(check(modes={"native": EVEN})))
        slow = fast(speed=0.8, interval=(0.75, 0.85))
        self.assertIn("makes it slower: 0.80", words.sentence(check(modes={"native": slow})))
        told = words.sentence(check(modes={"native": slow, "glibc": EVEN}))
        self.assertIn("but MMT's own heap makes it slower: 0.80", told)
        self.assertNotIn("faster", told)
        waits = check(modes={"native": EVEN}, busy=0.002)
        self.assertIn("waits: it uses a CPU for 0.2% of the time", words.sentence(waits))

    def test_a_busy_machine_is_said_first(self):
        told = check(modes={"native": fast()}, is_crowded=True)
        self.assertEqual(
            words.sentence(told),
            "The machine was too busy to tell whether MMT helps: beside other programs 1.30 times as fast "
            "(1.25 to 1.35). Try again when it is quiet.",
        )
        self.assertNotIn("  mmt run -- gawk -f 'two words.awk'", words.lines(told))

    def test_figures_of_another_mode_name_it(self):
        slow, wide = fast(speed=0.8, interval=(0.75, 0.85)), fast(interval=(0.9, 1.7))
        told = words.sentence(check(modes={"glibc": slow}, problems={"native": "killed"}))
        self.assertIn("slower: 0.80 times as fast (0.75 to 0.85) by --backend glibc", told)
        told = words.sentence(check(modes={"native": slow, "glibc": wide}))
        self.assertIn("MMT's own heap makes it slower: 0.80 times as fast (0.75 to 0.85). ", told)
        self.assertIn("do not tell whether --backend glibc helps: 1.30 times as fast (0.90 to 1.70).", told)
        told = words.sentence(check(modes={"native": fast(speed=1.1, interval=(0.8, 1.5)), "glibc": wide}))
        self.assertIn("whether MMT helps: 1.30 times as fast (0.90 to 1.70) by --backend glibc.", told)
        self.assertNotIn("slower", told)

    def test_undecided(self):
        wide = fast(interval=(0.9, 1.7))
        self.assertIn("do not tell", words.sentence(check(modes={"native": wide})))
        few = words.sentence(check(modes={"native": fast(interval=None)}, runs=2))
        self.assertIn("2 runs of each are too few", few)
        one = words.sentence(check(modes={"native": fast(interval=None)}, runs=1))
        self.assertIn("1 run of each is too few", one)
        self.assertNotIn("times as fast", one, "what so few runs cannot tell")

    def test_obstacles_name_a_way_out(self):
        for kind in ("static", "sanitizer", "own_allocator", "privilege", "linker", "machine"):
            known = facts(obstacle=Obstacle(kind, "it is so"))
            evidence = Evidence(obstacle="it is so")
            told = words.sentence(Check(COMMAND, known, None, evidence, judge(evidence)))
            self.assertIn("MMT cannot be loaded into this program: it is so. Run it as it is. ", told)
            self.assertEqual("Go would not gain" in told, kind == "static", told)

    def test_no_mode_that_works(self):
        told = words.sentence(check(problems={"native": "exit status 4", "glibc": "killed"}))
        self.assertIn("native: exit status 4; glibc: killed", told)


class Rows(unittest.TestCase):
    def rows(self, told):
        lines = words.lines(told)
        self.assertLessEqual(max(map(len, lines)), words.WIDTH)
        return " ".join(" ".join(lines).split())

    def test_no_memory_thread_where_the_server_is_off(self):
        text = self.rows(check(facts(server=False), modes={"native": EVEN}))
        self.assertIn("mmt run has no memory thread, as server is off", text)

    def test_what_was_measured(self):
        text = self.rows(check(modes={"native": fast()}, problems={"glibc": "exit status 4"}))
        self.assertIn("up to 25% of CPU time: 12.3 million allocations, 12.3 million/s", text)
        self.assertIn("one for the memory thread; 2 processes allocate", text)
        self.assertIn("10% of CPU time, some in malloc: 1,234, each at most 700 ns", text)
        self.assertIn("mmt run 1.30 times as fast (1.25 to 1.35); CPU 1.00, memory 1.00", text)
        self.assertIn("--backend glibc does not work: exit status 4", text)
        self.assertIn("Plainly 1.00 s, CPU time 1.00 s, 4.77 MiB; medians of 7 runs", text)

    def test_another_mode_says_what_it_does_and_why(self):
        slow = fast(speed=0.9, interval=(0.85, 0.95))
        said = "glibc serves malloc as before; a thread finds its memory ahead of use. MMT's own heap "
        even, less = fast(speed=1.0, interval=(0.98, 1.02)), fast(speed=1.1, interval=(1.05, 1.15))
        for native, why in ((slow, "made it slower"), (even, "gained nothing"), (less, "gained less")):
            told = check(modes={"native": native, "glibc": fast()})
            self.assertEqual(told.verdict.mode, "glibc")
            self.assertIn(said + why, self.rows(told))
        told = check(modes={"glibc": fast()}, problems={"native": "killed"})
        self.assertIn(said + "did not work", self.rows(told))
        self.assertNotIn("glibc serves malloc", self.rows(check(modes={"native": fast()})))

    def test_python_keeps_its_small_objects_to_itself(self):
        for known in (facts(path="/opt/python3.11"), facts(path="/opt/script", interpreter="/opt/python3")):
            with unittest.mock.patch.dict("os.environ", clear=True):
                self.assertIn("PYTHONMALLOC=malloc", self.rows(check(known, modes={"native": fast()})))
            with unittest.mock.patch.dict("os.environ", PYTHONMALLOC="malloc"):
                self.assertNotIn("PYTHONMALLOC", self.rows(check(known, modes={"native": fast()})))
        self.assertNotIn("PYTHONMALLOC", self.rows(check(facts(path="/opt/pythonic"), modes={"native": fast()})))

    def test_runs(self):
        few = self.rows(check(modes={"native": fast(interval=None)}, runs=2))
        self.assertIn("; 2 runs, no intervals", few)
        one = self.rows(check(modes={"native": fast(interval=None)}, runs=1))
        self.assertIn("; 1 run, no intervals", one)

    def test_twelve_lines(self):
        """Usual programs with the widest figures: all answers, and a gain that has its price."""
        modes = [fast(), fast(cpu=1.3), EVEN, fast(speed=0.8, interval=(0.75, 0.85))]
        for figures in modes:
            for threads in (1, 12):
                calls = Calls(12_345_678, 24_000_000, 0.5, threads, 1)
                told = check(modes={"native": figures, "direct": figures, "glibc": figures}, calls=calls, runs=15,
                             wall=0.0123, cpu=0.0123, remarks=[])  # fmt: skip
                lines = words.lines(told)
                self.assertEqual(len(lines), 12, lines)
                self.assertLessEqual(max(map(len, lines)), words.WIDTH)
        waits = check(modes={"native": EVEN, "direct": EVEN, "glibc": EVEN}, busy=0.002, remarks=[])
        self.assertEqual(len(words.lines(waits)), 12)

    def test_best_in_time_and_in_cpu(self):
        text = self.rows(check(modes={"native": fast(cpu=1.2), "direct": fast(speed=1.2)}))
        self.assertIn("in time mmt run; in CPU time mmt run --server off", text)
        text = self.rows(check(modes={"native": fast(), "direct": fast()}))
        self.assertIn("mmt run, in time as in CPU time", text)

    def test_calls_that_could_not_be_timed(self):
        self.assertIn("not known", self.rows(check(modes={"native": fast()}, calls=None)))

    def test_what_cpus_mean(self):
        self.assertIn("2, no quota: one for", words.cpus(facts()))
        self.assertIn("; 1 thread allocates", words.cpus(facts(), Calls(1, 2, 0.5, 1, 1)))
        for few in (facts(cpus=1), facts(quota=1.5)):
            self.assertIn("stands back below two", words.cpus(few))

    def test_what_is_loaded(self):
        modes = {"native": fast()}
        inside = self.rows(check(facts(bundled=("jemalloc", "Go")), modes))
        self.assertIn("also has jemalloc and Go inside", inside)
        self.assertIn("/bin/sh, which runs this script", self.rows(check(facts(interpreter="/bin/sh"), modes)))
        self.assertIn("operator new", self.rows(check(facts(own_new=True), modes)))


if __name__ == "__main__":
    lab_support.main()
