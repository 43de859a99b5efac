"""`mmt trace`: every event of every thread, in an order in which they may have happened."""

import collections
import os
import pathlib
import time

from support import main, mmt
from trace_programs import COUNTED, ENTRIES, EXCHANGE, HANDLERS, INDIRECT, OPERATORS
from trace_support import Trace


class Recording(Trace):
    def test_every_call_of_every_thread(self):
        program = self.compile("program", COUNTED, "-pthread")
        for threads, together in ((1, 1), (8, 4), (300, 100)):
            self.recorded("--", program, threads, together)
            events = self.events()
            sizes = self.sizes()
            for size in (70001, 70002, 70003, 70004):
                self.assertEqual(sizes[size], 1000 * threads, size)
            self.assertEqual(sum(one[3:] == ["70003", "zeroed"] for one in events), 1000 * threads)
            self.assertEqual(sum(one[3:] == ["70004", "align", "256"] for one in events), 1000 * threads)
            kinds = collections.Counter(one[1] for one in events)
            self.assertEqual((kinds["thread_start"], kinds["thread_end"]), (threads + 1, threads))

    def test_blocks_that_go_from_thread_to_thread(self):
        program = self.compile("program", EXCHANGE, "-pthread")
        for allocator in ([], ["--allocator", "mmt"], ["--allocator", "lea"], ["--allocator", "glibc+mmt"]):
            self.recorded(*allocator, "--", program, "20000")
            kinds = collections.Counter(one[1] for one in self.events())
            self.assertGreaterEqual(kinds["allocate"], 80000)
            self.assertLess(kinds["allocate"], 80100)
            # All are free at the end, but for what libraries keep.
            self.assertLess(kinds["allocate"] - kinds["free"], 100)

    def test_handlers(self):
        self.recorded("--", self.compile("program", HANDLERS))
        events = self.events()
        self.assertGreaterEqual(sum(one[3:] == ["8192", "align", "4096"] for one in events), 300)
        kinds = collections.Counter(one[1] for one in events)
        self.assertLess(kinds["allocate"] - kinds["free"], 60)

    def test_a_stack_that_no_compiler_made(self):
        """The first call of a function looks the next one up, by code of the linker's."""
        source = """
            #include "support/unaligned_stack.h"
            int main(void) {
              char* block = (char*)UNALIGNED(malloc, 61001, 0, 0);
              block = (char*)UNALIGNED(realloc, block, 61002, 0);
              UNALIGNED(free, block, 0, 0);
              UNALIGNED(free, UNALIGNED(calloc, 1, 61003, 0), 0, 0);
              return 0;
            }"""
        tests = pathlib.Path(__file__).resolve().parents[1]
        self.recorded("--", self.compile("program", source, "-fno-builtin", f"-I{tests}"))
        sizes = self.sizes()
        self.assertEqual((sizes[61001], sizes[61002], sizes[61003]), (1, 1, 1))

    def test_operators(self):
        program = self.compile("program", OPERATORS, language="c++", compiler="c++")
        for allocator in ([], ["--allocator", "mmt"], ["--allocator", "mmt:server=off"]):
            self.recorded(*allocator, "--", program)
            sizes = self.sizes()
            self.assertEqual((sizes[40001], sizes[40064], sizes[40002]), (500, 500, 500), allocator)

    def test_entries_that_call_others(self):
        self.recorded("--", self.compile("program", ENTRIES, "-fno-builtin"))
        made = collections.Counter((one[1], int(one[3])) for one in self.events() if one[1] in ("allocate", "resize"))
        for size in (*range(20001, 20009), 20011):
            self.assertEqual((size, made["allocate", size], made["resize", size]), (size, 100, 0))
        for size in (20009, 40024):
            self.assertEqual((size, made["allocate", size], made["resize", size]), (size, 0, 100))

    def test_limits(self):
        program = self.compile("program", EXCHANGE, "-pthread")
        done = self.trace("--events", 1000, "--", program, "5000")
        self.assertEqual(done.status, 0, done)
        self.assertLess(abs(len(self.events()) - 1000), 3)
        done = self.trace("--seconds", 0.3, "--", "sleep", "1")
        self.assertEqual(done.status, 0, done)

    def test_sites_of_calls_that_make_others(self):
        """reallocarray's own realloc is of the caller of that; one that leaves no record tells of no other."""
        program = self.compile("program", INDIRECT, "-fno-builtin", "-g", language="c++", compiler="c++")
        self.recorded("--sites", "--", program)
        sites = {one[3]: one[one.index("at") + 1] for one in self.events() if one[1] == "allocate" and "at" in one}
        found = [sites[size] for size in ("70001", "70002", "70003", "70004")]
        self.assertEqual(len(set(found)), 4)
        if not all(one.startswith("program+") for one in found):  # no functions are known here
            self.assertEqual(found, ["of_array", "of_malloc", "of_calloc", "of_new"])

    def test_sites(self):
        program = self.compile("program", COUNTED, "-pthread", "-g")
        self.recorded("--sites", "--", program, "1", "1")
        sites = {" ".join(one[one.index("at") + 1:]) for one in self.events() if "70001" in one}
        self.assertEqual(len(sites), 1)
        shown = mmt("trace", "--show", "t.mtr", cwd=self.folder).out
        without = "no functions: " in shown
        name = r"program\+0x[0-9a-f]+" if without else r"work \(<stdin>:6\) program\+0x[0-9a-f]+"
        self.assertRegex(sites.pop(), f"^{name}$")
        self.assertRegex(shown, rf"(?m)^ +66.8 MiB in 1,000 calls  {name}$")
        # What stands at the offset now may be something else.
        later = time.time() + 100
        os.utime(program, (later, later))
        shown = mmt("trace", "--show", "t.mtr", cwd=self.folder).out
        self.assertIn(f"; no functions: '{program}' has changed since\n", shown)
        self.assertRegex(shown, r"calls  program\+0x")

    def test_what_it_says(self):
        done = self.trace("--", "ls")
        self.assertRegex(done.err, r"mmt: t\.mtr: [\d,]+ events of [\d,]+ objects in 1 thread of 1 process\n"
                                   r"mmt: [\d.]+ bytes an event; the program waited 0 times")  # fmt: skip
        self.assertEqual(self.trace("-q", "--", "true").err, "")
        done = mmt("trace", "true", cwd=self.folder)
        self.assertTrue((self.folder / "true.mtr").exists(), done)

    def test_the_time_of_a_short_program(self):
        # Most are over before the recorder has looked once.
        for _ in range(10):
            begun = time.monotonic()
            self.assertEqual(self.trace("-q", "--", "sh", "-c", ":").status, 0)
            taken = time.monotonic() - begun
            shown = mmt("trace", "--show", "t.mtr", cwd=self.folder).out
            told = [line.split()[1:] for line in shown.splitlines() if line.startswith("time ")]
            for value, unit in told:
                seconds = float(value) * {"s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}[unit]
                self.assertLessEqual(seconds, taken)

    def test_the_program_is_as_without(self):
        script = self.script("script", "#!/bin/sh\ncat\necho error >&2\nls \"$MMT_LAB_TRACE\" > pool\nexit 7\n")
        done = self.trace("-q", "--", script, stdin="through")
        self.assertEqual((done.status, done.out, done.err), (7, "through", "error\n"))
        # It was there, and is no more.
        pool = pathlib.Path((self.folder / "pool").read_text().strip())
        self.assertTrue(pool.name.startswith("mmt-trace-"), pool)
        self.assertFalse(pool.exists())


if __name__ == "__main__":
    main()
