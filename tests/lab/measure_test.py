"""How one run is measured: `mmt measure`, the proof of the allocator, memory asked of the OS."""

import json
import os
import random
import subprocess
from unittest import mock

import lab_support
from lab_support import MMT
from mmt_lab.measuring import instruments, requested_memory, runs
from mmt_lab.study.experiment import SYSTEM, Allocator, Inputs, Kind, Program, Run
from mmt_lab.machine.installation import Installation
from mmt_lab.measuring.launcher import Launcher, RunFailed, clean_environment
from mmt_lab.measuring.proof import Proofs

import machine  # of tests/support

MIB = 1 << 20
# Keeps 8 MiB, and shortly 4 MiB more; runs 20 ms of CPU time, until a tick found it in the kernel.
MEMORY = """
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/times.h>
#include <time.h>
int main(void) {
  for (int i = 0; i < 8; ++i) memset(malloc(1 << 20), i + 1, 1 << 20);
  void *more = malloc(4 << 20);
  memset(more, 1, 4 << 20);
  free(more);
  void *space = mmap(0, 1 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(space, 1 << 20, PROT_READ | PROT_WRITE);
  struct tms spent = {0};
  while (clock() < CLOCKS_PER_SEC / 50 || spent.tms_stime == 0) times(&spent);
  return 0;
}
"""


class Case(lab_support.Bench):
    def setUp(self):
        super().setUp()
        installation = Installation(self.binary, self.libraries, self.workloads, self.scripts)
        scratch = self.folder / "scratch"
        scratch.mkdir()
        self.launcher = Launcher(self.binary, scratch, 20)
        proofs = Proofs(installation, self.launcher)
        self.bench = runs.Bench(installation, self.launcher, proofs, Inputs.DEFAULT)

    def classic(self, name):
        return Program(name, (f"{{workloads}}/classic/{name}",), ("--small",))

    def refused(self, text, action, *arguments):
        with self.assertRaises(RunFailed) as caught:
            action(*arguments)
        self.assertIn(text, str(caught.exception))


class Measure(Case):
    def test_the_right_process_is_measured(self):
        """Not this one, whose peak a process that it executes would inherit."""
        ballast = bytearray(300 * MIB)
        small = self.launcher.run(["/bin/true"], {})
        self.assertLess(small["peak_rss"], 50 * MIB)
        self.assertEqual(len(ballast), 300 * MIB)
        self.assertLessEqual(small["rss_floor"], small["peak_rss"])
        path = self.compile(self.workloads / "classic" / "memory", MEMORY, "-O0")
        large = self.launcher.run([path], {})
        self.assertGreater(large["peak_rss"], 12 * MIB)
        self.assertLess(large["peak_rss"], 60 * MIB)
        self.assertGreater(large["minor_faults"], 12 * MIB / 4096)
        self.assertGreaterEqual(large["cpu"], 0.02)

    def test_failures_are_told(self):
        shell = ["/bin/sh", "-c"]
        self.refused(
            "exit status 3: oh no", self.launcher.run, [*shell, "echo oh no >&2; exit 3"], {}
        )
        self.refused("killed by signal 9", self.launcher.run, [*shell, "kill -9 $$"], {})
        self.refused("/no/such program", self.launcher.run, ["/no/such program"], {})
        hasty = Launcher(self.binary, self.launcher.folder, 0.05)
        self.refused("took longer than 0.05 s", hasty.run, ["/bin/sleep", "10"], {})

    def test_side_by_side(self):
        """Each waits for what the other has said."""
        shell = ("/bin/sh", "-c")
        said = [f"{self.launcher.folder}/{name}" for name in ("one", "other")]
        wait = 'echo >"$0"; until [ -e "$1" ]; do sleep 0.01; done'
        commands = [[*shell, wait, *said], [*shell, wait, *reversed(said)]]
        answers = self.launcher.run_together(commands, {})
        self.assertEqual([one["status"] for one in answers], [0, 0])
        failing = [[*shell, "exit 0"], [*shell, "echo oh no >&2; exit 3"]]
        self.refused("exit status 3: oh no", self.launcher.run_together, failing, {})

    def order(self, command, **more):
        """What `mmt measure` answers to an order of its own."""
        order = {
            "schema": 1, "command": command, "environment": {}, "errors": "/dev/null",
            "output": str(self.folder / "output"), "time_limit": 20, "observe": False,
        }  # fmt: skip
        done = subprocess.run(
            [self.binary, "measure"], input=json.dumps(order | more), capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        return json.loads(done.stdout)

    def test_input(self):
        (self.folder / "input").write_text("some words")
        self.order(["/bin/cat"], input=str(self.folder / "input"))
        self.assertEqual((self.folder / "output").read_text(), "some words")
        self.order(["/bin/cat"])
        self.assertEqual((self.folder / "output").read_text(), "")

    def test_calls_are_counted(self):
        timer = MMT.parent.parent / "lib" / "libmmt-latency.so"
        path = self.compile(self.folder / "memory", MEMORY, "-O0")
        page = str(self.folder / "calls")
        answer = self.order([str(path)], environment={"LD_PRELOAD": str(timer)}, calls=page)
        calls = answer["calls"]
        self.assertEqual((calls["processes"], calls["threads"]), (1, 1))
        self.assertEqual(calls["values"]["malloc_calls"], {"value": 9, "unit": "count"})
        self.assertEqual(calls["values"]["free_calls"]["value"], 1)
        self.assertGreater(calls["empty_call_ns"], 0)
        self.assertGreater(answer["system"], 0)
        self.assertLessEqual(answer["system"], answer["cpu"])
        self.assertNotIn("calls", self.order(["/bin/true"], calls=page))

    def test_wrong_orders_are_refused(self):
        read = '; read is one order from standard input, {"schema":1, "command":[...], ...}: docs/laboratory.md has it'
        for order, told in (
            ("", "there is no JSON on standard input" + read), ("{", "there is no JSON on standard input" + read),
            ("[]", "cannot use at() with array" + read), ("{}", "key 'schema' not found" + read),
            ('{"schema":2}', "unknown schema"), ('{"schema":1,"command":[]}', "the command is empty"),
        ):  # fmt: skip
            done = subprocess.run(
                [self.binary, "measure"], input=order, capture_output=True, text=True, check=False
            )
            self.assertEqual(done.returncode, 2, order)
            self.assertEqual(done.stderr, f"mmt: measure: {told}\n")

    def test_environment_is_clean(self):
        dirty = {"MMT_HEAP": "x", "LD_PRELOAD": "/x.so", "MALLOC_ARENA_MAX": "1", "HOME": "/root"}
        with mock.patch.dict(os.environ, dirty):
            variables = clean_environment()
        self.assertEqual(variables["HOME"], "/root")
        self.assertFalse({"MMT_HEAP", "LD_PRELOAD", "MALLOC_ARENA_MAX"} & set(variables))

    def test_reported_values(self):
        self.program("reports", 'echo "parse_s 250 ms" >>$MMT_BENCH_REPORT')
        metrics = instruments.measure(self.bench, Run(Kind.TIMED, self.classic("reports")))
        self.assertEqual(metrics["reported.parse_s"], 0.25)
        self.program("nonsense", "echo nonsense >>$MMT_BENCH_REPORT")
        run = Run(Kind.TIMED, self.classic("nonsense"))
        self.refused("not 'key value unit'", instruments.measure, self.bench, run)
        self.program("infinite", "echo a inf s >>$MMT_BENCH_REPORT")
        run = Run(Kind.TIMED, self.classic("infinite"))
        self.refused("no number to work with", instruments.measure, self.bench, run)

    def test_size(self):
        self.compile(self.workloads / "classic" / "memory", MEMORY, "-O0")
        metrics = instruments.measure(self.bench, Run(Kind.SIZED, self.classic("memory")))
        self.assertGreater(metrics["text"], 500)
        self.program("script", "exit 0")
        run = Run(Kind.SIZED, self.classic("script"))
        self.refused("size says", instruments.measure, self.bench, run)

    def test_counts(self):
        """libstdc++'s own block is left out, in programs that have it."""
        run = Run(Kind.COUNTED, self.classic("counted"))
        counts = '{"objects":11,"bytes":73704,"peak_bytes":72804,"operations":20}'
        self.program("counted", f"echo '{counts}' >$MMT_STATISTICS_FILE")
        self.refused("there is no library", instruments.measure, self.bench, run)
        self.library("libmmt-statistics.so", "int nothing;")
        metrics = instruments.measure(self.bench, run)
        self.assertEqual((metrics["objects"], metrics["mean_size"]), (11, 73704 / 11))
        source = f"""
            #include <stdio.h>
            #include <stdlib.h>
            int main(void) {{
              FILE *file = fopen(getenv("MMT_STATISTICS_FILE"), "w");
              fputs({json.dumps(counts)}, file);
              return fclose(file);
            }}"""
        path = self.workloads / "classic" / "cxx"
        self.compile(path, source, "-Wl,--no-as-needed", "-lstdc++")
        metrics = instruments.measure(self.bench, Run(Kind.COUNTED, self.classic("cxx")))
        self.assertEqual((metrics["objects"], metrics["operations"]), (10, 19))
        self.assertEqual((metrics["bytes"], metrics["peak_bytes"]), (1000, 100))
        self.program("counted", "exit 0")
        self.refused("wrote no counts", instruments.measure, self.bench, run)


class Proof(Case):
    def warm_up(self, name, allocator):
        return runs.warm_up(self.bench, Run(Kind.TIMED, self.classic(name), allocator))

    def test_an_allocator_that_serves_is_proved(self):
        self.library("good.so")
        self.program("fine", "exit 0")
        self.assertGreater(self.warm_up("fine", Allocator("good", "good.so")), 0)
        self.assertGreater(self.warm_up("fine", SYSTEM), 0)

    def test_what_does_not_serve_is_refused(self):
        self.program("fine", "exit 0")
        self.refused("there is no library", self.warm_up, "fine", Allocator("none", "none.so"))
        self.library("empty.so", "int nothing;")
        self.refused("does not take over", self.warm_up, "fine", Allocator("empty", "empty.so"))
        (self.libraries / "text.so").write_text("no library")
        self.refused("does not take over", self.warm_up, "fine", Allocator("text", "text.so"))

    def test_programs_that_keep_it_out_are_refused(self):
        self.library("good.so")
        good = Allocator("good", "good.so")
        folder = self.workloads / "classic"
        self.compile(folder / "static", "int main(void) { return 0; }", "-static")
        self.refused("it is statically linked", self.warm_up, "static", good)
        own = "void *malloc(long n) { return (void *)(n & 0); } int main(void) { return 0; }"
        self.compile(folder / "own", own, "-rdynamic")
        self.refused("allocator of its own", self.warm_up, "own", good)
        self.program("drops", 'exec env -u LD_PRELOAD "/bin/true"')
        self.refused("was not loaded", self.warm_up, "drops", good)

    def test_the_c_librarys_own_is_proved_too(self):
        library = self.library("linked.so")
        path = self.workloads / "classic" / "linked"
        self.compile(path, "int main(void) { return 0; }", "-Wl,--no-as-needed", str(library))
        self.refused("not on the C library's allocator", self.warm_up, "linked", SYSTEM)

    def test_tunables_are_known_to_the_c_library(self):
        self.program("fine", "exit 0")
        for name, variables in (
            ("glibc.malloc.tcache_count", "glibc.malloc.tcache_count=0"),
            ("glibc.malloc.arena_max", "glibc.malloc.arena_max=1"),
        ):
            allocator = Allocator(name, environment=(("GLIBC_TUNABLES", variables),))
            self.assertGreater(self.warm_up("fine", allocator), 0)
        wrong = Allocator("wrong", environment=(("GLIBC_TUNABLES", "glibc.malloc.nonsense=1"),))
        self.refused("no tunable", self.warm_up, "fine", wrong)


class RequestedMemory(Case):
    def setUp(self):
        super().setUp()
        if why := machine.lacks("ptrace"):  # by which strace looks
            self.skipTest(why)

    def test_a_real_program(self):
        self.compile(self.workloads / "classic" / "memory", MEMORY, "-O0")
        metrics = instruments.measure(self.bench, Run(Kind.REQUESTED, self.classic("memory")))
        # The highest amount is 12 MiB in blocks of their own, with a page of malloc's each. The
        # mapping that is made accessible later is less than what was freed before.
        self.assertGreaterEqual(metrics["requested"], 12 * MIB)
        self.assertLess(metrics["requested"], 13 * MIB)

    def test_an_allocator_is_followed(self):
        self.library("good.so")
        self.compile(self.workloads / "classic" / "memory", MEMORY, "-O0")
        run = Run(Kind.REQUESTED, self.classic("memory"), Allocator("good", "good.so"))
        self.assertGreaterEqual(instruments.measure(self.bench, run)["requested"], 12 * MIB)
        self.compile(self.workloads / "classic" / "static", MEMORY, "-O0", "-static")
        run = Run(Kind.REQUESTED, self.classic("static"), Allocator("good", "good.so"))
        self.refused("was not loaded", instruments.measure, self.bench, run)

    def parse(self, *calls):
        """A log in which the code of a library is at 7000..7fff, and the linker is elsewhere."""
        start = (
            '[0100] execve("/p", [...], 0x1 /* 1 var */) = 0',
            "[9000] brk(NULL) = 0x100000",
            "[9000] mmap(NULL, 4096, PROT_READ|PROT_EXEC, MAP_PRIVATE, 3</lib/x.so>, 0) = 0x7000",
        )
        lines = [one if one[0].isdigit() else f"10 {one}" for one in (*start, *calls)]
        return requested_memory.parse(lines)

    def test_break(self):
        found = self.parse(
            "[7010] brk(0x103000) = 0x103000",
            "[7010] brk(0x101000) = 0x101000",
            "[7010] brk(NULL) = 0x101000",
        )
        self.assertEqual(
            (found.peak, found.by_break, found.files), (0x3000, 0x3000, ("/lib/x.so",))
        )

    def test_mappings_rise_and_fall(self):
        anonymous = "PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0"
        fixed = anonymous.replace("PRIVATE", "PRIVATE|MAP_FIXED")
        found = self.parse(
            f"[7010] mmap(NULL, 8192, {anonymous}) = 0x20000",
            f"[7010] mmap(NULL, 5000, {anonymous}) = 0x40000",
            "[7010] munmap(0x20000, 4096) = 0",
            "[7010] mremap(0x40000, 8192, 12288, MREMAP_MAYMOVE) = 0x60000",
            f"[7010] mmap(0x60000, 4096, {fixed}) = 0x60000",
            f"[7010] mmap(NULL, 4096, {anonymous}) = -1 ENOMEM (Cannot allocate memory)",
        )
        self.assertEqual(found.peak, 4 * 4096)

    def test_what_no_heap_asked_for_is_left_out(self):
        found = self.parse(
            "[9000] mmap(NULL, 8192, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x20000",
            "[7010] mmap(NULL, 8192, PROT_NONE, MAP_ANONYMOUS|MAP_STACK, -1, 0) = 0x30000",
            "[7010] mprotect(0x31000, 4096, PROT_READ|PROT_WRITE) = 0",
            "[7010] mmap(NULL, 8192, PROT_READ, MAP_SHARED, 3</tmp/f>, 0) = 0x40000",
        )
        self.assertEqual(found.peak, 0)

    def test_reserved_space_counts_once_it_is_accessible(self):
        found = self.parse(
            "[7010] mmap(NULL, 1048576, PROT_NONE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x200000",
            "[7010] mprotect(0x200000, 12288, PROT_READ|PROT_WRITE) = 0",
            "[7010] mprotect(0x200000, 12288, PROT_NONE) = 0",
            "[7010] mprotect(0x201000, 4096, PROT_READ|PROT_WRITE) = 0",
        )
        self.assertEqual(found.peak, 12288)

    def test_threads_count_and_children_do_not(self):
        anonymous = "PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0"
        found = self.parse(
            f"11 [7010] mmap(NULL, 4096, {anonymous}) = 0x20000",
            "[7010] clone3({flags=CLONE_VM|CLONE_THREAD, stack=0x1}, 88 <unfinished ...>",
            f"11 [7010] mmap(NULL, 4096, {anonymous} <unfinished ...>",
            "[7010] <... clone3 resumed> => {parent_tid=[0]}, 88) = 11",
            "11 [7010] <... mmap resumed>) = 0x30000",
            "[7010] clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 12",
            f"12 [7010] mmap(NULL, 1048576, {anonymous}) = 0x400000",
        )
        self.assertEqual(found.peak, 8192)

    def test_ranges(self):
        """Against a model, as a set of pages."""
        generator = random.Random(1)
        ranges, model = requested_memory.Ranges(), set()
        for _ in range(2000):
            start = generator.randrange(60)
            end = start + 1 + generator.randrange(12)
            if generator.random() < 0.5:
                ranges.add(start, end)
                model |= set(range(start, end))
            else:
                ranges.remove(start, end)
                model -= set(range(start, end))
            self.assertEqual(ranges.total(), len(model))
            low, high = sorted(generator.sample(range(80), 2))
            inside = {page for part in ranges.within(low, high) for page in range(*part)}
            self.assertEqual(inside, model & set(range(low, high)))
            self.assertEqual(ranges.holds(low), low in model)


if __name__ == "__main__":
    lab_support.main()
