"""`mmt bench`: every way in which it fails, and how it tells allocators that are not loaded."""

import json
import os
import resource
import signal
import subprocess
import time

from bench_support import ALLOCATE, PAIR, Bench
from support import MMT, clean_environment, library, main, mmt


class Proof(Bench):
    def test_a_library_that_serves_no_malloc_is_refused(self):
        fake = self.compile("fake.so", "int nothing;", "-shared", "-fPIC")
        done, _ = self.bench("--allocators", f"fake={fake}", "--", "true", json_report=False)
        self.assert_fails(done, 2, fake, "does not define malloc")
        half = self.compile("half.so", "void *malloc(unsigned long n) { (void)n; return 0; }", "-shared", "-fPIC")
        done, _ = self.bench("--allocators", f"half={half}", "--", "true", json_report=False)
        self.assert_fails(done, 1, "'half' does not take over")

    def test_a_library_that_cannot_be_loaded_is_refused(self):
        broken = self.folder / "broken.so"
        broken.write_text("no library")
        done, _ = self.bench("--allocators", f"broken={broken}", "--", "true", json_report=False)
        self.assert_fails(done, 2, broken, "no shared library")

    def test_a_program_that_loads_no_library_fails(self):
        program = self.compile("static", ALLOCATE, "-static")
        done, report = self.bench("--runs", 1, *PAIR, "--", program)
        self.assertEqual(done.status, 1, done)
        self.assertIsNone(self.cell(report, "glibc")["problem"])
        self.assertIn("cannot be loaded into it: it is statically linked", self.cell(report, "jemalloc")["problem"])
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

    def test_a_program_with_a_sanitizer_is_not_compared(self):
        program = self.compile("asan", "int main(void) { return 0; }", "-fsanitize=address")
        done, _ = self.bench("--runs", 1, *PAIR, "--", program, json_report=False)
        self.assert_fails(done, 1, "no program can be run", "brings an allocator of its own")

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


class WrongWords(Bench):
    def test_what_compares_heaps_is_named(self):
        for verb, says in (("bench", "did you mean '--allocators'?"), ("check", "'mmt bench --allocators'")):
            self.assert_fails(mmt(verb, "--heap", "lea", "--", "true"), 2, "'--heap'", says)


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
        self.assertIn("'nonsense'", self.problem("sh", "-c", "echo nonsense > $MMT_BENCH_REPORT"))

    def test_cpus_that_are_not_there(self):
        suite = self.suite({"name": "bound", "command": ["true"], "pin": "1023"})
        done, report = self.bench("--runs", 1, "--allocators", "glibc", "--suite", suite)
        self.assertEqual(done.status, 1, done)
        self.assertIn("bind it to its CPUs", self.cell(report, "glibc")["problem"])
        witness = self.folder / "witness"
        done = mmt("bench", "--pin", "0,1023", "--", "touch", witness)
        self.assert_fails(done, 2, "no CPU 1023", "that this process may use")
        self.assertFalse(witness.exists(), "found out before the measurement")

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

    def test_reports_beyond_the_limit_on_files(self):
        path = self.folder / "report.json"
        done = mmt("bench", "--runs", 1, *PAIR, "--json", path, "--", "true", limits={resource.RLIMIT_FSIZE: 2000})
        self.assert_fails(done, 1, str(path), "File too large")
        self.assertIn("jemalloc", done.out)

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

    def test_workloads_that_are_not_built_are_told_how_to_build(self):
        env = clean_environment(MMT_BENCH_WORKLOADS=self.folder)
        done = mmt("bench", "--allocators", "glibc", "growth", env=env)
        self.assert_fails(done, 1, "no program can be run", "make workloads")
        done = mmt("study", "heap-layers", "--small", "--output", self.folder / "study", env=env)
        self.assertIn("make workloads", done.out + done.err)
        self.assert_fails(mmt("bench", "--", "no-such-program"), 127, "no-such-program")

    def test_suites_that_cannot_be_used(self):
        bad = self.folder / "bad.json"
        self.assert_fails(mmt("bench", "--suite", bad), 1, bad)
        self.assert_fails(mmt("bench", "--suite", self.folder), 1, self.folder)
        self.assert_fails(mmt("bench", "--suite", "/dev/zero"), 1, "/dev/zero", "16 MiB")
        for text, named in (
            ("{\n\n\"a", "line 3"),
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
        self.assert_fails(mmt("bench", "--runs", "0", "--", "true"), 2, "'0' is no number from 1 to 1000")
        self.assert_fails(mmt("bench", "--runs", "1.5", "--", "true"), 2, "'1.5' is not a whole number")
        self.assert_fails(mmt("bench", "true"), 2, "no suite 'true'", "put it behind --: mmt bench -- true")
        self.assert_fails(mmt("bench", "grwoth"), 2, "no suite 'grwoth'; did you mean 'growth'?")
        self.assert_fails(mmt("bench", "--peers", "tody", "--", "true"), 2, "--peers: there is no 'tody'; did you mean 'today'? See")
        self.assert_fails(mmt("bench", "--backend", "nonsense", "--", "true"), 2, "mmt: no backend 'nonsense'")
        self.assert_fails(mmt("bench", "--budget", "0", "--", "true"), 2, "no number of seconds from 1 to 1000000;")
        self.assert_fails(mmt("bench", "sort file"), 2, "no suite 'sort file'", "mmt bench -- sort file")
        self.assert_fails(mmt("bench", "--", "sort f", "wc f"), 2, "one program stands behind --, not 2", "--suite")
        self.assert_fails(mmt("bench", "--html", "x"), 2, "'--html'; 'mmt report' makes a page")
        self.assert_fails(mmt("bench", "--rums", 3, "--", "true"), 2, "'--rums'", "did you mean '--runs'?")
        self.assert_fails(mmt("bench", "--json", "-", "--csv", "-", "--", "true"), 2, "standard output")
        self.assert_fails(mmt("bench", "--seed", "x", "--", "true"), 2, "--seed: 'x'", "mmt bench --help")
        self.assert_fails(mmt("bench", "--seed"), 2, "--seed needs a value")
        self.assert_fails(mmt("bench", "--pin", "0", "churn"), 2, "--pin")
        self.assert_fails(mmt("bench", "--only", "small_1,nonsense", "churn"), 2, "'nonsense'; there are ")
        self.assert_fails(mmt("bench", "--only", "smal_1", "churn"), 2, "did you mean 'small_1'?")
        self.assert_fails(mmt("bench", "--only", "small_1"), 2, "name a suite, too")
        self.assert_fails(mmt("bench", "--wide=1", "--", "true"), 2, "--wide takes no value")
        done = mmt("bench", "--allocators", "mmt", "glibc", "--", "true")
        self.assert_fails(done, 2, "no suite 'glibc'; commas join allocators: --allocators mmt,glibc")
        done = mmt("bench", "--", "true", env=clean_environment(TMPDIR="/no/such"))
        self.assert_fails(done, 1, "/no/such", "No such file or directory")
        done = mmt("bench", "--", "true", env=clean_environment(MMT_OPTIONS="nonsense=1"))
        self.assert_fails(done, 2, "'nonsense'")

    def test_program_that_is_not_there(self):
        """As `mmt run` says it: one line, its name, 127."""
        for verb in ("run", "check", "bench"):
            done = mmt(verb, "--", "/no/such/program")
            self.assertEqual(done.out, "", verb)
            self.assert_fails(done, 127, "mmt: cannot run '/no/such/program': No such file or directory")
            self.assertEqual(done.err.count("\n"), 1, verb)
        self.assert_fails(mmt("bench", "--", self.folder), 126, f"'{self.folder}'")
        script = self.script("script.sh", "true\n", 0o644)
        self.assert_fails(mmt("bench", "--", script), 126, f"did you mean 'sh {script}'?")

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


if __name__ == "__main__":
    main()
