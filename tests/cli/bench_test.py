"""`mmt bench`: what is run, in which order, how it is measured, and every way in which it fails."""

import csv
import json
import os
import pathlib
import signal
import subprocess
import time

from support import MMT, Lab, clean_environment, library, main, mmt

PAIR = ("--allocators", "glibc,jemalloc")
# Appends a line to the file named in its argument: who ran, in which order.
WITNESS = 'echo "$LD_PRELOAD" >> "$1"'
ALLOCATE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int n, char** v) {
  size_t size = n > 1 ? strtoul(v[1], 0, 10) : 1;
  char* volatile block = malloc(size);
  memset(block, 1, size);
  const char* path = getenv("MMT_BENCH_REPORT");
  FILE* report = path ? fopen(path, "a") : 0;
  if (report) {
    fputs("build 0.25 s\\nmalloc_p99 252 ns\\nrate 5000 1/s\\n", report);
    fclose(report);
  }
  return 0;
}
"""


class Bench(Lab):
    def bench(self, *arguments, env=None, json_report=True):
        """The result of a run, and its JSON report."""
        path = self.folder / "report.json"
        path.unlink(missing_ok=True)
        flags = ("--json", path) if json_report else ()
        done = mmt("bench", *flags, *arguments, env=env)
        if not json_report:
            return done, None
        self.assertTrue(path.exists() and path.stat().st_size > 0, done)
        return done, json.loads(path.read_text())

    def suite(self, *programs, **others):
        path = self.folder / "suite.json"
        path.write_text(json.dumps({"schema": 1, "name": "mine", "programs": programs, **others}))
        return path

    def cell(self, report, allocator, program=0):
        return next(c for c in report["programs"][program]["cells"] if c["allocator"] == allocator)

    def assert_gone(self, pids, count):
        """No process whose number stands in the file lives; whoever adopted it may reap it later."""
        numbers = pids.read_text().split()
        self.assertEqual(len(numbers), count)
        for number in numbers:
            try:
                with open(f"/proc/{number}/stat", encoding="utf-8") as stat:
                    self.assertEqual(stat.read().rsplit(")", 1)[1].split()[0], "Z", number)
            except (FileNotFoundError, ProcessLookupError):
                pass


class Results(Bench):
    def test_every_metric_of_every_pair(self):
        program = self.compile("allocate", ALLOCATE)
        done, report = self.bench("--runs", 3, *PAIR, "--", program, "1000")
        self.assertEqual((done.status, done.err), (0, ""), done)
        self.assertEqual((report["schema"], report["kind"], report["rounds"]), (1, "bench", 3))
        for allocator in ("glibc", "jemalloc"):
            cell = self.cell(report, allocator)
            self.assertIsNone(cell["problem"])
            metrics = cell["metrics"]
            for name, unit in (
                ("wall", "s"), ("cpu", "s"), ("peak_rss", "bytes"), ("minor_faults", "count"),
                ("major_faults", "count"), ("build", "s"), ("malloc_p99", "ns"), ("rate", "1/s"),
            ):
                self.assertEqual(metrics[name]["unit"], unit)
                self.assertEqual([s["round"] for s in metrics[name]["samples"]], [0, 1, 2])
                self.assertLessEqual(metrics[name]["low"], metrics[name]["median"])
                self.assertGreaterEqual(metrics[name]["high"], metrics[name]["median"])
            self.assertEqual(metrics["build"]["median"], 0.25)
            self.assertEqual(metrics["build"]["to_glibc"]["median"], 1)
        other = self.cell(report, "jemalloc")["metrics"]["wall"]["to_best_peer"]
        self.assertEqual(other["against"], "glibc")
        for text in ("allocate", "glibc", "jemalloc", "Latency", "malloc_p99", "252 ns", "build"):
            self.assertIn(text, done.out)

    def test_csv_has_every_sample(self):
        path = self.folder / "samples.csv"
        done, report = self.bench("--runs", 2, *PAIR, "--csv", path, "--", self.compile("a b,c", ALLOCATE))
        self.assertEqual(done.status, 0, done)
        rows = list(csv.DictReader(path.open(encoding="utf-8")))
        self.assertEqual(len(rows), 2 * 2 * 8)
        self.assertEqual({row["program"] for row in rows}, {"a b,c"})
        walls = {s["value"] for s in self.cell(report, "glibc")["metrics"]["wall"]["samples"]}
        self.assertEqual({float(r["value"]) for r in rows if r["metric"] == "wall" and r["allocator"] == "glibc"}, walls)

    def test_peak_memory_is_the_programs_own(self):
        small = self.compile("small", ALLOCATE, "-static")
        _, report = self.bench("--runs", 1, "--allocators", "glibc", "--", "true")
        self.assertLess(self.cell(report, "glibc")["metrics"]["peak_rss"]["median"], 3 << 20)
        self.assertLess(report["rss_floor"], 2 << 20)
        _, report = self.bench("--runs", 1, "--allocators", "glibc", "--", small, str(64 << 20))
        peak = self.cell(report, "glibc")["metrics"]["peak_rss"]["median"]
        self.assertTrue(64 << 20 < peak < 67 << 20, peak)

    def test_time_is_of_all_threads(self):
        source = """
        #include <pthread.h>
        #include <time.h>
        static void* spin(void* unused) {
          struct timespec t; (void)unused;
          do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); while (t.tv_nsec < 150000000);
          return 0;
        }
        int main(void) { pthread_t a; pthread_create(&a, 0, spin, 0); spin(0); return pthread_join(a, 0); }
        """
        program = self.compile("spin", source, "-pthread")
        _, report = self.bench("--runs", 1, "--allocators", "glibc", "--pin", "0", "--", program)
        metrics = self.cell(report, "glibc")["metrics"]
        self.assertTrue(0.29 < metrics["cpu"]["median"] < 0.4, metrics)
        self.assertGreater(metrics["wall"]["median"], 0.29, "both threads on one CPU")


class Runs(Bench):
    def order(self, *flags):
        """Allocators in the order in which they ran, after the warm-up."""
        witness = self.folder / f"order{len(list(self.folder.iterdir()))}"
        done, _ = self.bench(*flags, "--", "sh", "-c", WITNESS, "sh", witness)
        self.assertEqual(done.status, 0, done)
        lines = witness.read_text().splitlines()
        self.assertEqual(len(lines) % 3, 0)
        return [os.path.basename(line) for line in lines[3:]]

    def test_rounds_are_interleaved_and_the_order_is_repeatable(self):
        flags = ("--runs", 6, "--allocators", "glibc,jemalloc,mimalloc")
        first = self.order(*flags)
        self.assertEqual(first, self.order(*flags))
        self.assertNotEqual(first, self.order(*flags, "--seed", 2))
        rounds = [tuple(first[i : i + 3]) for i in range(0, len(first), 3)]
        for one in rounds:
            self.assertEqual(len(set(one)), 3, "each allocator once a round")
        self.assertGreater(len(set(rounds)), 1, "in changing order")

    def test_allocators_and_options_reach_only_their_programs(self):
        witness = self.folder / "env"
        fake = self.compile("fake.so", "int nothing;", "-shared", "-fPIC")
        env = clean_environment(LD_PRELOAD=str(fake), MMT_QUIET="on")
        suite = self.suite({"name": "env", "command": ["sh", "-c", 'echo "$LD_PRELOAD|$MMT_QUIET|$A" >> "$1"', "sh", str(witness)], "env": {"A": "b"}})
        done, _ = self.bench("--runs", 1, "--allocators", "glibc", "--suite", suite, env=env)
        self.assertEqual(done.status, 0, done)
        self.assertEqual(set(witness.read_text().splitlines()), {"||b"})

    def test_mmt_and_its_variants(self):
        if os.path.basename(library()) != "libmmt.so":
            self.fail("needs the real library")
        done, report = self.bench("--runs", 1, "--allocators", "mmt,mmt:server=off,glibc", "--", "true")
        self.assertEqual(done.status, 0, done)
        variant = next(one for one in report["allocators"] if one["name"] == "mmt:server=off")
        self.assertEqual(variant["options"], "server=off")
        self.assertEqual(os.path.realpath(variant["malloc_from"]), os.path.realpath(library()))

    def test_suite_with_all_its_keys(self):
        (self.folder / "input").write_text("from the file")
        suite = self.suite(
            {
                "name": "all", "runs": 2, "pin": "0", "metrics": ["shown"], "env": {"A": "{suite}"},
                "command": ["sh", "-c", '[ "$(cat)" = "from the file" ] && [ -d "$A" ] && [ -z "$(ls "$1")" ] && touch "$1/x" '
                            '&& taskset -p $$ | grep -q "mask: 1$" && echo fixed && echo "shown 1 s" >> "$MMT_BENCH_REPORT" '
                            '&& echo "hidden 1 s" >> "$MMT_BENCH_REPORT"', "sh", "{tmp}"],
                "input": "{suite}/input", "same_output": True, "comment": "nothing",
            },
            {"name": "short", "command": ["true"], "runs": 1},
        )
        done, report = self.bench(*PAIR, "--suite", suite)
        self.assertEqual(done.status, 0, done)
        self.assertEqual([len(self.cell(report, "glibc", p)["metrics"]["wall"]["samples"]) for p in (0, 1)], [2, 1])
        self.assertIn("mine/all", done.out)
        self.assertIn("shown", done.out)
        self.assertNotIn("hidden", done.out)
        self.assertIn("hidden", self.cell(report, "jemalloc")["metrics"])
        only, report = self.bench(*PAIR, "--suite", suite, "--only", "short", "--runs", 2)
        self.assertEqual([one["name"] for one in report["programs"]], ["short"], only)

    def test_suites_by_name(self):
        self.suite({"name": "one", "command": ["true"]})
        env = clean_environment(MMT_BENCH_SUITES=str(self.folder))
        self.assertEqual(mmt("bench", "--list", env=env).out, "mine/one: true\n")
        self.assertEqual(mmt("bench", "suite", "--runs", 1, "--allocators", "glibc", env=env).status, 0)
        self.assert_fails(mmt("bench", "nonsense", env=env), 2, "'nonsense'", "suite")

    def test_budget_ends_between_rounds(self):
        start = time.monotonic()
        done, report = self.bench("--budget", 2, "--runs", 100, *PAIR, "--", "sleep", "0.2")
        self.assertEqual(done.status, 0, done)
        self.assertLess(time.monotonic() - start, 4)
        self.assertTrue(1 <= report["rounds"] <= 4, report["rounds"])
        _, report = self.bench("--budget", 1, *PAIR, "--", "sleep", "0.8")
        self.assertEqual(report["rounds"], 1, "one round even where there is no time")

    def test_nothing_is_left_behind(self):
        env = clean_environment(TMPDIR=str(self.folder))
        pids = self.folder / "pids"
        done, _ = self.bench("--runs", 1, *PAIR, "--", "sh", "-c", f"sleep 77 & echo $! >> {pids}", env=env)
        self.assertEqual(done.status, 0, done)
        self.assertEqual(list(self.folder.glob("mmt-*")), [])
        self.assert_gone(pids, 4)

    def test_no_progress_where_stderr_is_no_terminal(self):
        self.assertEqual(self.bench("--runs", 1, *PAIR, "--", "true")[0].err, "")

    def test_progress_on_a_terminal(self):
        main_end, other_end = os.openpty()
        with subprocess.Popen(
            [MMT, "bench", "--runs", "1", *PAIR, "--", "true"],
            env=clean_environment(), stdout=subprocess.DEVNULL, stderr=other_end,
        ) as process:
            os.close(other_end)
            seen = b""
            try:
                while piece := os.read(main_end, 4096):
                    seen += piece
            except OSError:
                pass  # the other end is closed
            self.assertEqual(process.wait(20), 0)
        os.close(main_end)
        self.assertIn(b"left", seen)
        self.assertTrue(seen.endswith(b"\r\x1b[K"), "the bar is taken away")


class Proof(Bench):
    def test_a_library_that_serves_no_malloc_is_refused(self):
        fake = self.compile("fake.so", "int nothing;", "-shared", "-fPIC")
        done, _ = self.bench("--allocators", f"fake={fake}", "--", "true", json_report=False)
        self.assert_fails(done, 1, "'fake' does not take over", "libc.so")

    def test_a_library_that_cannot_be_loaded_is_refused(self):
        broken = self.folder / "broken.so"
        broken.write_text("no library")
        done, _ = self.bench("--allocators", f"broken={broken}", "--", "true", json_report=False)
        self.assertEqual(done.status, 1, done)
        self.assertIn("'broken' does not take over", done.err)

    def test_a_program_that_loads_no_library_fails(self):
        program = self.compile("static", ALLOCATE, "-static")
        done, report = self.bench("--runs", 1, *PAIR, "--", program)
        self.assertEqual(done.status, 1, done)
        self.assertIsNone(self.cell(report, "glibc")["problem"])
        self.assertIn("was not loaded", self.cell(report, "jemalloc")["problem"])
        self.assertIn("FAILED", done.out)

    def test_a_program_with_an_allocator_of_its_own_is_not_compared(self):
        source = """#include <stdlib.h>
        static char memory[1 << 20]; static size_t used;
        void *malloc(size_t size) { used += (size + 15) / 16 * 16; return memory + used; }
        void free(void *block) { (void)block; }
        int main(void) { return malloc(10) == NULL; }"""
        program = self.compile("own", source, "-rdynamic")
        done, _ = self.bench("--runs", 1, *PAIR, "--", program, json_report=False)
        self.assertEqual(done.status, 1, done)
        self.assertIn("brings an allocator of its own", done.err)

    def test_a_program_that_brings_an_allocator_is_not_glibcs(self):
        jemalloc = next(
            one["path"]
            for one in json.loads(mmt("list", "allocators", "--json").out)["allocators"]
            if one["name"] == "jemalloc"
        )
        program = self.compile("linked", ALLOCATE, "-Wl,--no-as-needed", "-x", "none", jemalloc)
        _, report = self.bench("--runs", 1, *PAIR, "--", program)
        self.assertIn("libjemalloc", self.cell(report, "glibc")["problem"])
        self.assertIsNone(self.cell(report, "jemalloc")["problem"])


class Failures(Bench):
    def problem(self, *command, flags=(), status=1):
        done, report = self.bench("--runs", 2, "--allocators", "glibc", *flags, "--", *command)
        self.assertEqual(done.status, status, done)
        self.assertIn("FAILED", done.out)
        return self.cell(report, "glibc")["problem"]

    def test_programs_that_fail(self):
        self.assertEqual(self.problem("sh", "-c", "echo why >&2; exit 3"), "exit status 3: why")
        self.assertIn("killed by signal 11", self.problem("sh", "-c", "kill -SEGV $$"))
        self.assertIn("took longer than 0.3 s", self.problem("sleep", "30", flags=("--timeout", 0.3)))
        self.assertIn("bind it to its CPUs", self.problem("true", flags=("--pin", 1023)))
        self.assertIn("'nonsense'", self.problem("sh", "-c", "echo nonsense > $MMT_BENCH_REPORT"))

    def test_a_program_that_fails_later(self):
        mark = self.folder / "mark"
        problem = self.problem("sh", "-c", f"[ ! -e {mark} ] || exit 9; touch {mark}")
        self.assertEqual(problem, "exit status 9")

    def test_output_that_differs(self):
        suite = self.suite({"name": "env", "command": ["sh", "-c", "echo $LD_PRELOAD"], "same_output": True})
        done, report = self.bench("--runs", 1, *PAIR, "--suite", suite)
        self.assertEqual(done.status, 1, done)
        self.assertIn("output differs", self.cell(report, "jemalloc")["problem"])

    def test_reports_onto_a_full_disk(self):
        for flag in ("--json", "--csv"):
            done = mmt("bench", "--runs", 1, *PAIR, flag, "/dev/full", "--", "true")
            self.assert_fails(done, 1, "'/dev/full'", "No space left")
            self.assertIn("jemalloc", done.out, "the results are printed all the same")

    def test_reports_that_cannot_be_opened(self):
        witness = self.folder / "witness"
        done = mmt("bench", "--json", "/no/such/folder/x", "--", "touch", witness)
        self.assert_fails(done, 1, "/no/such/folder/x")
        self.assertFalse(witness.exists(), "found out before the measurement")

    def test_what_is_missing_is_named(self):
        suite = self.suite(
            {"name": "absent", "command": ["no-such-program"], "package": "no-such-package"},
            {"name": "there", "command": ["true"]},
        )
        env = clean_environment(MMT_LIBRARY="/no/such/libmmt.so")
        done, report = self.bench("--runs", 1, "--suite", suite, env=env)
        self.assertEqual(done.status, 0, done)
        self.assertIn("no-such-package", done.out)
        self.assertIn("/no/such/libmmt.so", done.out)
        self.assertEqual(report["missing_programs"][0]["name"], "absent")
        self.assertEqual(report["missing_allocators"][0]["name"], "mmt")
        done = mmt("bench", "--allocators", "mmt", "--", "true", env=env)
        self.assert_fails(done, 1, "'mmt' is not installed", "/no/such/libmmt.so")
        self.assert_fails(mmt("bench", "--", "no-such-program"), 1, "no-such-program")

    def test_suites_that_cannot_be_used(self):
        bad = self.folder / "bad.json"
        self.assert_fails(mmt("bench", "--suite", bad), 1, bad)
        for text, named in (
            ("{", "parse error"),
            ('{"schema": 2, "name": "x", "programs": []}', "schema"),
            ('{"schema": 1, "name": "x"}', "programs"),
            ('{"schema": 1, "name": "x", "programs": [{"name": "p", "runs": 0, "command": ["true"]}]}', "runs"),
            ('{"schema": 1, "name": "x", "programs": [{"name": "p", "command": []}]}', "no command"),
            ('{"schema": 1, "name": "x", "programs": [{"name": "p", "speed": 1}]}', "'speed'"),
        ):
            bad.write_text(text)
            self.assert_fails(mmt("bench", "--suite", bad), 1, bad, named)

    def test_wrong_use(self):
        self.assert_fails(mmt("bench"), 2, "nothing to run")
        self.assert_fails(mmt("bench", "--allocators", "nomalloc", "--", "true"), 2, "'nomalloc'")
        self.assert_fails(mmt("bench", "--allocators", "mmt:nonsense=1", "--", "true"), 1 if not os.access(library(), os.R_OK) else 2, "nonsense")
        for flag, value in (("--runs", 0), ("--budget", "x"), ("--pin", "first"), ("--timeout", -1)):
            self.assert_fails(mmt("bench", flag, value, "--", "true"), 2, flag)
        done = mmt("bench", "--", "true", env=clean_environment(MMT_OPTIONS="nonsense=1"))
        self.assert_fails(done, 2, "'nonsense'")

    def test_interruption_kills_and_cleans_up(self):
        env = clean_environment(TMPDIR=str(self.folder))
        mark = self.folder / "running"
        with subprocess.Popen(
            [MMT, "bench", "--allocators", "glibc", "--", "sh", "-c", f"echo $$ > {mark}; exec sleep 78"],
            env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        ) as process:
            while not mark.exists() or not mark.read_text():
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(10), 130)
            self.assertEqual(process.stderr.read(), "mmt: interrupted\n")
        self.assertEqual(list(self.folder.glob("mmt-*")), [])
        self.assert_gone(mark, 1)

    def test_interruption_keeps_what_was_measured(self):
        mark = self.folder / "runs"
        report = self.folder / "report.json"
        # The warm-up and two rounds are short; the third never ends.
        script = f"echo x >> {mark}; [ $(wc -l < {mark}) -gt 3 ] && exec sleep 78; exit 0"
        with subprocess.Popen(
            [MMT, "bench", "-q", "--allocators", "glibc", "--runs", "5", "--json", report, "--", "sh", "-c", script],
            env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as process:
            while not mark.exists() or len(mark.read_text()) < 8:
                time.sleep(0.02)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=10)
            self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted after 2 rounds", err)
        self.assertIn("glibc", out)
        self.assertEqual(json.loads(report.read_text())["rounds"], 2)


class ProjectSuites(Bench):
    def test_every_suite_of_the_project_can_be_read(self):
        folder = pathlib.Path(__file__).resolve().parents[2] / "workloads" / "suites"
        done = mmt("bench", "--list", env=clean_environment(MMT_BENCH_SUITES=str(folder)))
        self.assertEqual((done.status, done.err), (0, ""), done)
        for suite in folder.glob("*.json"):
            self.assertIn(f"{suite.stem}/", done.out)
        self.assertIn("demo/gawk: gawk", done.out)


if __name__ == "__main__":
    main()
