"""`mmt bench`: what is run, in which order, and how it is measured."""

import csv
import json
import os
import pathlib
import subprocess

from bench_support import ALLOCATE, PAIR, Bench
from support import MMT, clean_environment, library, main, mmt

# Appends a line to the file named in its argument: who ran, in which order.
WITNESS = 'echo "$LD_PRELOAD" >> "$1"'


class Results(Bench):
    def test_every_metric_of_every_pair(self):
        program = self.compile("allocate", ALLOCATE)
        done, report = self.bench("--runs", 3, *PAIR, "--", program, "1000")
        self.assertEqual((done.status, done.err), (0, ""), done)
        self.assertEqual((report["schema"], report["kind"], report["rounds"]), (1, "bench", 3))
        self.assertRegex(report["machine"]["commit"], r"^([0-9a-f]{40}( with changes)?|mmt \d.*)$")
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
        both, report = self.bench(*PAIR, "--suite", suite, "--only", "short", "--runs", 1, "--", "true")
        self.assertEqual([one["name"] for one in report["programs"]], ["short", "true"], both)

    def test_suites_by_name(self):
        self.suite({"name": "one", "command": ["true"]})
        env = clean_environment(MMT_BENCH_SUITES=str(self.folder))
        self.assertEqual(mmt("bench", "--list", env=env).out, "mine/one: true\n")
        self.assertEqual(mmt("bench", "suite", "--runs", 1, "--allocators", "glibc", env=env).status, 0)
        self.assert_fails(mmt("bench", "nonsense", env=env), 2, "'nonsense'", "suite")

    def test_a_script_that_names_no_interpreter(self):
        """The shell runs it, as under `mmt run`."""
        script = self.script("plain", "echo $1\nexit $2\n")
        done, report = self.bench("--runs", 1, "--allocators", "glibc", "--show-output", "--", script, "shown", 0)
        self.assertEqual((done.status, self.cell(report, "glibc")["problem"]), (0, None), done)
        self.assertIn("shown\n", done.out)
        done, report = self.bench("--runs", 1, "--allocators", "glibc", "--", script, "x", 3)
        self.assertEqual(self.cell(report, "glibc")["problem"], "exit status 3")

    def test_list_of_what_is_named(self):
        """As a run of the same words would take them."""
        env = clean_environment(MMT_BENCH_SUITES=str(self.folder))
        programs = ({"name": "one", "command": ["true"]}, {"name": "two", "command": ["sh", "-c", "echo $1"]})
        other = self.suite(programs[0], name="other").rename(self.folder / "other.json")
        self.suite(*programs)
        two = "mine/two: sh -c 'echo $1'\n"
        for words, out in (
            ((), f"other/one: true\nmine/one: true\n{two}"),
            (("suite",), f"mine/one: true\n{two}"),
            (("--suite", other), "other/one: true\n"),
            (("suite", "--only", "two"), two),
            (("--only", "two"), two),
        ):
            done = mmt("bench", "--list", *words, env=env)
            self.assertEqual((done.status, done.out), (0, out), (words, done))
        self.assert_fails(mmt("bench", "--list", "nonsense", env=env), 2, "no suite 'nonsense'")
        self.assert_fails(mmt("bench", "--list", "--only", "tow", env=env), 2, "did you mean 'two'?")
        self.assert_fails(mmt("bench", "--list", "--", "true", env=env), 2, "no program behind --")

    def test_budget_ends_between_rounds(self):
        done, report = self.bench("--budget", 2, "--runs", 100, *PAIR, "--", "sleep", "0.2")
        self.assertEqual(done.status, 0, done)
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


class Manners(Bench):
    """What a user may ask of a measurement besides."""

    def test_failures_can_be_ignored(self):
        for flag in ("--ignore-failure", "-i", "--ignore_failure"):
            done, report = self.bench("--runs", 1, flag, "--allocators", "glibc", "--", "sh", "-c", "exit 3")
            self.assertEqual((done.status, done.err), (0, ""), done)
            self.assertIsNone(self.cell(report, "glibc")["problem"])
        done, _ = self.bench("--runs", 1, "-i", "--allocators", "glibc", "--", "sh", "-c", "kill -9 $$")
        self.assertEqual(done.status, 1, "a signal is a failure all the same")

    def test_output_can_be_shown(self):
        flags = ("--runs", 1, "--allocators", "glibc", "--", "sh", "-c", "echo out; echo err >&2")
        done = mmt("bench", "--show-output", *flags)
        self.assertEqual((done.status, done.out.count("out\n"), done.err.count("err\n")), (0, 2, 2), done)
        done = mmt("bench", *flags)
        self.assertNotIn("out\n", done.out)

    def test_input_redirected(self):
        words = self.folder / "words"
        words.write_text("b\na\n")
        program = ("sh", "-c", "read a && read b && test $a$b = ba")
        with words.open() as source:
            done = mmt("bench", "--allocators", "glibc", "--runs", 2, "--", *program, stdin=source)
            self.assertEqual((done.status, done.err), (0, ""), done)
        done = mmt("bench", "--allocators", "glibc", "--runs", 1, "--", "true", stdin="b\na\n")
        self.assert_fails(done, 0, "no run reads standard input", "redirect a file")

    def test_prepared_and_warmed_up(self):
        log = self.folder / "log"
        done = mmt("bench", "--runs", 2, "--warmup", 3, "--prepare", f"echo p >> {log}", "--allocators", "glibc",
                   "--", "sh", "-c", f"echo r >> {log}")
        self.assertEqual(done.status, 0, done)
        self.assertEqual(log.read_text().split(), ["p", "r"] * 5)
        done = mmt("bench", "--runs", 1, "--prepare", "echo no >&2; exit 4", "--allocators", "glibc", "--", "true")
        self.assertEqual(done.status, 1, done)
        self.assertIn("--prepare: exit status 4: no", done.out)
        done = mmt("bench", "--runs", 1, "--prepare", "kill -9 $$", "--allocators", "glibc", "--", "true")
        self.assertIn("--prepare: ended by signal 9", done.out)

    def test_reports_to_standard_output(self):
        done = mmt("bench", "--runs", 1, *PAIR, "--json", "-", "--", "true", cwd=self.folder)
        self.assertEqual(done.status, 0, done)
        self.assertEqual(json.loads(done.out)["kind"], "bench")
        self.assertIn("glibc", done.err, "the table goes elsewhere")
        self.assertEqual(list(self.folder.iterdir()), [], "no file called -")
        done = mmt("bench", "--runs", 1, *PAIR, "--csv", "-", "--", "true")
        self.assertEqual(len(done.out.splitlines()), 1 + 2 * 5)

    def test_markdown(self):
        page = self.folder / "page.md"
        done = mmt("bench", "--runs", 1, *PAIR, "--markdown", page, "--", "true")
        self.assertEqual(done.status, 0, done)
        self.assertEqual(sum(line.startswith("| true | ") for line in page.read_text().splitlines()), 2)

    def test_versions_stand_beside_the_names(self):
        done, report = self.bench("--runs", 1, "--allocators", "mmt,glibc,jemalloc,tbbmalloc", "--", "true")
        protocols = self.bench("--runs", 1, "--allocators", "glibc+mmt", "--", "true")[1]
        for one in report["allocators"] + protocols["allocators"]:
            self.assertRegex(one["version"], r"^\d+\.\d+", one)
        for one in report["allocators"]:
            self.assertIn(f"  {one['name']} {one['version']} ", done.out)

    def test_backends_and_protocols(self):
        library_of_protocol = pathlib.Path(library()).with_name("libmmt-protocol-mmt.so")
        self.assertTrue(library_of_protocol.exists(), library_of_protocol)
        done, report = self.bench("--runs", 1, "--backend", "jemalloc", "--", "true")
        self.assertEqual(done.status, 0, done)
        names = [one["name"] for one in report["allocators"]]
        self.assertEqual(names, ["jemalloc+mmt", "jemalloc", "glibc"])
        self.assertEqual(os.path.basename(report["allocators"][0]["malloc_from"]), "libmmt-protocol-mmt.so")

    def test_what_has_no_room_is_named(self):
        words = ("--runs", 1, "--allocators", f"glibc,{'n' * 60}=glibc", "--", "true")
        narrow, wide = self.bench(*words)[0], self.bench("--wide", *words)[0]
        self.assertRegex(" ".join(narrow.out.split()), r"No room for .*memory: --wide shows all columns\.")
        self.assertNotIn("No room", wide.out)

    def test_options_of_protocols_between_commas(self):
        spec = "lea+preallocate:base=100,slope=1"
        _, report = self.bench("--runs", 1, "--allocators", f"{spec},mmt:decay=0,nice=5,mine=lea", "--", "true")
        names = [one["name"] for one in report["allocators"]]
        self.assertEqual(names, [spec, "mmt:decay=0,nice=5", "mine"])

    def test_the_answer_comes_last(self):
        done, _ = self.bench("--runs", 5, "--allocators", "mmt,glibc", "--", "true")
        last = " ".join(done.out.split("\n\n")[-1].split())
        self.assertRegex(last, r"^mmt (ran|took|and glibc: no difference).*CPU [\d.]+, memory [\d.]+\.$")


class ProjectSuites(Bench):
    def test_every_suite_of_the_project_can_be_read(self):
        folder = pathlib.Path(__file__).resolve().parents[2] / "workloads" / "suites"
        done = mmt("bench", "--list", env=clean_environment(MMT_BENCH_SUITES=str(folder)))
        self.assertEqual((done.status, done.err), (0, ""), done)
        for suite in folder.glob("*.json"):
            self.assertIn(f"{suite.stem}/", done.out)
        self.assertIn("demo/gawk: gawk", done.out)
        self.assertNotIn("/..", done.out)


if __name__ == "__main__":
    main()
