"""Samples of the CPU clock and misses of the caches. What perf and cachegrind write is read right,
and, where they are installed, asked for right."""

import os
import pathlib
import shutil
import subprocess
import unittest

import lab_support
from mmt_lab.measuring import cache_misses, instruments, runs, sampling
from mmt_lab.study.experiment import SYSTEM, Allocator, Inputs, Kind, Program, Run
from mmt_lab.machine.installation import Installation
from mmt_lab.measuring.launcher import Launcher, RunFailed
from mmt_lab.measuring.proof import Proofs

# As sampled by: perf record, of a program with a second thread.
SAMPLES = """\
             env 10/10      7f01 (/usr/bin/env)
           cfrac 10/10      7f02 (/lib/alloc.so)
           cfrac 10/10      7f03 (/bin/cfrac)
           cfrac 10/10      7f03 ([vdso])
           cfrac 10/10      7f06 (/lib/protocol.so)
           cfrac 10/10      7f05 (/lib/libc.so.6)
           cfrac 10/10      ffffffff821f5127 ([kernel.kallsyms])
     a b (c) d 10/11      7f02 (/lib/alloc.so)
             mem 10/11      7f05 (/lib/libc.so.6)
             mem 10/11      ffffffff821f5127 ([kernel.kallsyms])

"""
COUNTED = """\
# started on Mon Nov 23 21:18:36 2026

1200,,LLC-load-misses:u,900,100.00,,
34,,dTLB-load-misses,900,100.00,,
5,,branch-misses,900,100.00,,
"""
UNCOUNTED = "<not supported>,,LLC-load-misses,0,100.00,,\n7,,dTLB-load-misses,1,100.00,,\n"
SIMULATED = """\
desc: LL cache: 4194304 B, 64 B, 16-way associative
events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw Bc Bcm Bi Bim
fl=main.c
summary: 100 1 2 30 10 4 20 6 3 9 2 8 1
"""
# Stands in for an allocator that takes long.
SLOW = lab_support.ALLOCATOR.replace(
    "void *malloc(size_t size) {",
    "void *malloc(size_t size) { for (volatile int i = 0; i < 3000000; ++i) {}",
)
# One large block, then ten more. Nothing of it may be left out by a compiler that knows malloc.
CALLS = """
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *block = malloc(16 << 20);
  memset(block, 1, 16 << 20);
  for (int i = 0; i < 10; ++i) free(malloc(100 + i));
  return block[5] - 1;
}
"""


class Reading(unittest.TestCase):
    def test_samples_are_sorted(self):
        part_of = sampling.sorter(library="/lib/alloc.so", protocol="/lib/protocol.so")
        found = sampling.sort(SAMPLES.splitlines(), part_of)
        ticks = {name: round(value / (sampling.PERIOD_NS * 1e-9)) for name, value in found.items()}
        of_all = {"sampled": 9, "allocator": 3}
        of_first = {"own": 3, "libc": 1, "library": 1, "protocol": 1, "kernel": 1}
        self.assertEqual(ticks, of_all | of_first)
        with self.assertRaises(RunFailed):
            sampling.sort(SAMPLES.splitlines()[:1], part_of)

    def test_an_allocator_alone_has_no_protocol(self):
        part_of = sampling.sorter(library="/lib/alloc.so", protocol="")
        self.assertIs(part_of("/lib/alloc.so"), sampling.Part.LIBRARY)
        self.assertIs(part_of("/lib/protocol.so"), sampling.Part.PROGRAM)

    def test_counters(self):
        found = cache_misses.counted(COUNTED)
        expected = {"llc_misses": 1200.0, "tlb_misses": 34.0, "branch_misses": 5.0}
        self.assertEqual(found, expected)
        self.assertEqual(cache_misses.counted(UNCOUNTED), {"tlb_misses": 7.0})

    def test_simulated(self):
        caches, tlb = cache_misses.SIMULATIONS
        found = cache_misses.simulated(caches, SIMULATED)
        self.assertEqual(found, {"llc_misses": 7, "branch_misses": 3})
        self.assertEqual(cache_misses.simulated(tlb, SIMULATED), {"tlb_misses": 16})
        for wrong in ("events: Ir\n", "events: Ir\nsummary: 1\n"):
            with self.assertRaises(RunFailed):
                cache_misses.simulated(caches, wrong)


class Asking(lab_support.Bench):
    def setUp(self):
        super().setUp()
        installation = Installation(self.binary, self.libraries, self.workloads, self.scripts)
        scratch = self.folder / "scratch"
        scratch.mkdir()
        launcher = Launcher(self.binary, scratch, 60)
        proofs = Proofs(installation, launcher)
        self.bench = runs.Bench(installation, launcher, proofs, Inputs.DEFAULT)
        self.compile(self.workloads / "classic" / "calls", CALLS, "-O0", "-fno-builtin")

    def measure(self, kind, allocator):
        program = Program("calls", ("{workloads}/classic/calls",))
        return instruments.measure(self.bench, Run(kind, program, allocator))

    def test_time_in_the_allocator(self):
        paranoid = pathlib.Path("/proc/sys/kernel/perf_event_paranoid")
        if not shutil.which("perf") or (os.geteuid() != 0 and int(paranoid.read_text()) > 1):
            self.skipTest("perf is not here, or not for this user")
        probe = ["perf", "record", "-q", "-e", "cpu-clock", "-o", "/dev/null", "true"]
        if subprocess.run(probe, capture_output=True, check=False).returncode:
            self.skipTest("perf is refused")
        self.library("slow.so", SLOW)
        found = self.measure(Kind.SAMPLED, Allocator("slow", "slow.so"))
        self.assertGreater(found["library"], 0)
        self.assertGreaterEqual(found["allocator"], found["library"])
        self.assertEqual(found["protocol"], 0)
        self.assertLessEqual(found["allocator"] + found["own"], found["sampled"])
        with self.assertRaises(RunFailed):
            self.measure(Kind.SAMPLED, SYSTEM)

    def test_misses(self):
        if not cache_misses.has_counters() and not shutil.which("valgrind"):
            self.skipTest("neither counters nor valgrind")
        self.library("good.so")
        found = self.measure(Kind.MISSES, Allocator("good", "good.so"))
        self.assertEqual(found.keys(), {"llc_misses", "tlb_misses", "branch_misses"})
        if not cache_misses.has_counters():
            # 16 MiB were written once: each line of them, and each page, misses once.
            self.assertGreaterEqual(found["llc_misses"], (16 << 20) / 64)
            self.assertLess(found["llc_misses"], 1.2 * (16 << 20) / 64)
            self.assertGreaterEqual(found["tlb_misses"], (16 << 20) / 4096)
            self.assertLess(found["tlb_misses"], 1.2 * (16 << 20) / 4096)


if __name__ == "__main__":
    lab_support.main()
