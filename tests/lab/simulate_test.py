"""`mmt simulate` from outside: tables, reports, processes, a cluster, real allocators."""

import csv
import importlib.util
import json
import os
import random
import shutil
import subprocess
import tempfile
from unittest import mock

import browser_support
import lab_support
import page_support
from mmt_lab.simulate import real, task, traces
from mmt_lab.study.experiment import Allocator

DASK = "/usr/bin/python3"


class Simulate(lab_support.Bench):
    def setUp(self):
        super().setUp()
        for seed, name in ((1, "one.rep"), (2, "two.rep")):
            self.write(name, seed)
        for name in ("mmt-replay-models", "mmt-replay-real"):
            program = lab_support.MMT.parent / name
            if program.exists():
                shutil.copy(program, self.prefix / "libexec" / "mmt")

    def write(self, name, seed, events=2000):
        numbers = random.Random(seed)
        lines, live = ["0", "0", "0", "1"], []
        for at in range(events):
            if live and numbers.random() < len(live) / 150:
                lines.append(f"f {live.pop(numbers.randrange(len(live)))}")
            else:
                lines.append(f"a {at} {numbers.randint(1, 300)}")
                live.append(at)
        (self.folder / name).write_text("\n".join(lines) + "\n")

    def simulate(self, *words, status=0, **variables):
        done = subprocess.run(
            [self.binary, "simulate", *map(str, words)], cwd=self.folder, text=True, timeout=120,
            env=lab_support.clean_environment(**variables), stdin=subprocess.DEVNULL,
            capture_output=True, check=False,
        )  # fmt: skip
        self.assertEqual(done.returncode, status, done)
        return done

    def document(self, *words):
        self.simulate(*words, "--json", "out.json")
        return json.loads((self.folder / "out.json").read_text())

    def test_the_papers_twelve_in_a_table(self):
        done = self.simulate("one.rep")
        lines = done.stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(sum(line.startswith(("sqf", "abt", "sgf", "sbt")) for line in lines[3:-3]), 12)
        self.assertIn("needs the least memory", lines[-3])
        self.assertTrue(lines[-2].endswith("a free together."))
        self.assertEqual(lines[-1], "abt-ff and 5 more: rebalanced trees; the paper's have balance=none.")
        self.assertEqual(done.stderr, "")

    def test_one_document(self):
        told = self.document("one.rep", "two.rep", "--allocator", "sbt-ff,abt-ffwc:balance=treap,node=compact,tlsf")
        names = ["sbt-ff", "abt-ffwc:balance=treap,node=compact", "tlsf"]
        self.assertEqual([one["name"] for one in told["allocators"]], names)
        self.assertEqual(told["allocators"][1]["factors"]["balance"], "treap")
        self.assertEqual([(one["trace"], one["allocator"]) for one in told["results"]],
                         [(trace, name) for trace in ("one", "two") for name in names])  # fmt: skip
        for one in told["results"]:
            for key in ("nodes_searched", "coalescing_frequency", "internal_fragmentation", "free_chunks", "os_pages"):
                self.assertIn(key, one)
        self.assertEqual(set(told["bounds"]), {"one", "two"})

    def test_the_same_in_one_process_and_in_many(self):
        def bare(told):
            return [{key: value for key, value in one.items() if "second" not in key} for one in told["results"]]

        words = ("one.rep", "two.rep", "--allocator", "sgf-bf,buddy")
        self.assertEqual(bare(self.document(*words, "--jobs", 1)), bare(self.document(*words, "--jobs", 4)))

    def test_tables_as_files(self):
        self.simulate("one.rep", "--allocator", "sss,buddy", "--csv", "out.csv")
        with open(self.folder / "out.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["allocator"] for row in rows], ["sss", "buddy"])
        self.assertGreater(float(rows[1]["nodes_searched.allocation.mean"]), 0)
        self.assertIn("bounds.packing_bytes", rows[0])

    def test_real_allocators_have_rows(self):
        words = ("one.rep", "two.rep", "--allocator", "sss,buddy", "--real", "glibc")
        self.simulate(*words, "--csv", "out.csv")
        with open(self.folder / "out.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        told = [(row["trace"], row["allocator"]) for row in rows if row["is_real"] == "True"]
        self.assertEqual(told, [("one", "glibc"), ("two", "glibc")])
        self.assertEqual(sum(row["is_real"] == "False" for row in rows), 4)
        for row in rows[4:]:
            self.assertGreater(int(row["peak_rss"]), 0)
            self.assertGreater(int(row["bounds.packing_bytes"]), 0)

    def test_where_models_part_is_in_the_document(self):
        told = self.document("one.rep", "two.rep", "--allocator", "sqf-ff,sqf-bf,tlsf", "--no-bounds")
        self.assertEqual(set(told["partings"]), {"one", "two"})
        for found in told["partings"].values():
            self.assertIn(("sqf-ff", "sqf-bf"), {(one["one"], one["other"]) for one in found})
        self.assertEqual(self.document("one.rep", "--allocator", "tlsf")["partings"], {})

    def test_parquet(self):
        try:
            import pyarrow.parquet
        except ImportError:
            done = self.simulate("one.rep", "--parquet", "out.parquet", status=1)
            self.assertIn("pyarrow", done.stderr)
            return
        self.simulate("one.rep", "--allocator", "sss,buddy", "--parquet", "out.parquet")
        table = pyarrow.parquet.read_table(self.folder / "out.parquet")
        self.assertEqual(table.column("allocator").to_pylist(), ["sss", "buddy"])

    def test_a_manifest_of_processes(self):
        (self.folder / "all.mtr").write_text(
            json.dumps({"mmt_trace_processes": 1, "processes": [{"file": "one.rep"}, {"file": "two.rep"}]})
        )
        told = self.document("all.mtr", "--allocator", "tlsf", "--no-bounds")
        self.assertEqual([one["name"] for one in told["traces"]], ["one", "two"])
        self.assertEqual(told["bounds"], {})

    def test_a_trace_that_is_not_there_stops_no_other(self):
        (self.folder / "all.mtr").write_text(
            json.dumps({"mmt_trace_processes": 1, "processes": [{"file": "gone.mtr"}, {"file": "two.rep"}]})
        )
        for words in (("gone.mtr", "two.rep"), ("all.mtr",)):
            done = self.simulate(*words, "--allocator", "tlsf", "--json", "out.json", status=1)
            self.assertEqual(done.stderr.count("mmt: "), 1, done.stderr)
            self.assertIn("gone.mtr'", done.stderr)
            told = json.loads((self.folder / "out.json").read_text())
            self.assertEqual([one["trace"] for one in told["results"]], ["two"])
            self.assertIn("gone.mtr", told["problems"][0]["trace"])

    def test_invariants(self):
        self.write("short.rep", 3, 300)
        done = self.simulate("short.rep", "--check", "--allocator", "sbt-bfwc,sqf-nf")
        self.assertIn("sbt-bfwc keeps its invariants at 300 events", done.stdout)

    def test_a_page(self):
        self.simulate("one.rep", "two.rep", "--allocator", "sqf-bf,sqf-bfwc,abt-ffwc,sbt-ff", "--html", "page.html")
        path = self.folder / "page.html"
        page = page_support.Page(path.read_text(encoding="utf-8"))
        self.assertEqual(page.loads, [])
        self.assertLessEqual(set(page.links), set(page.anchors))
        for title in [f"Figure {number}" for number in range(3, 10)] + ["Speed against space", "What one choice changes",
                      "Where two models part"]:  # fmt: skip
            self.assertIn(title, page.words())
        opened = browser_support.Opened(path)
        self.assertEqual(opened.console, [])
        # Seven boxplots and the chart of speed and space.
        self.assertEqual(len(opened.plots), 8)
        self.assertTrue(all(sum(plot) > 0 for plot in opened.plots))
        drawn = opened.ids_with_plots
        self.assertEqual(drawn, {f"explorer-{name}" for name in ("curves", "map", "searches", "tree")})

    def test_on_a_cluster(self):
        if not shutil.which("dask-scheduler") and subprocess.run(
            [DASK, "-c", "import distributed"], capture_output=True, check=False
        ).returncode:
            self.fail("no Dask: apt-get install python3-distributed")
        code = (
            "import sys, time\n"
            "from distributed import LocalCluster\n"
            "if __name__ == '__main__':\n"
            "    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None,\n"
            "                      scheduler_port=0, local_directory=sys.argv[1]) as cluster:\n"
            "        print(cluster.scheduler_address, flush=True)\n"
            "        sys.stdin.read()\n"
        )
        script = self.folder / "cluster.py"
        script.write_text(code)
        process = subprocess.Popen(
            [DASK, str(script), str(self.folder)], cwd=self.folder, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.addCleanup(process.communicate)
        address = process.stdout.readline().strip()
        self.assertTrue(address)
        words = ("one.rep", "two.rep", "--allocator", "sbt-ff,tlsf")
        here, there = self.document(*words), self.document(*words, "--scheduler", address)
        for one, other in zip(here["results"], there["results"], strict=True):
            self.assertEqual(one["nodes_searched"], other["nodes_searched"])

    def test_a_worker_with_mmt_elsewhere(self):
        job = task.Task(str(self.folder / "one.rep"), ("tlsf",))
        with mock.patch.dict(os.environ, PATH=str(self.prefix / "bin")):
            done = task.run_on_worker(job, "/elsewhere/mmt-replay-models")
        self.assertEqual((done.problem, [one["allocator"] for one in done.found]), ("", ["tlsf"]))
        with mock.patch.dict(os.environ, PATH="/nowhere"):
            self.assertIn("has no mmt", task.run_on_worker(job, "/elsewhere/mmt-replay-models").problem)

    def test_no_cluster(self):
        done = self.simulate("one.rep", "--scheduler", "nothing:1", status=1)
        self.assertIn("nothing:1", done.stderr)

    def test_real_allocators(self):
        self.library("libmmt-lea.so")
        told = self.document("one.rep", "--allocator", "tlsf", "--real", "glibc,lea")
        self.assertEqual([one["allocator"] for one in told["real"]], ["glibc", "lea"])
        for one in told["real"]:
            self.assertEqual((one["events"], one["failed"]), (2000, 0))
            self.assertGreater(one["peak_rss"], 0)

    def test_a_real_allocator_beside_its_model(self):
        self.library("libmmt-tlsf.so")
        words = ("one.rep", "--allocator", "tlsf,buddy", "--real", "tlsf,glibc", "--html", "page.html")
        done = self.simulate(*words, "--json", "out.json")
        told = json.loads((self.folder / "out.json").read_text())
        over = told["real"][0]["peak_rss"] / told["results"][0]["resident_bytes"] - 1
        rows = [line.split() for line in done.stdout.splitlines() if line.startswith("one  ")]
        self.assertEqual([f"{over:+.1%}" in row for row in rows], [True, False])
        self.assertIn(f"{over:+.1%}", page_support.Page((self.folder / "page.html").read_text()).words())
        self.assertIsNone(self.document("one.rep", "--allocator", "tlsf")["results"][0]["resident_bytes"])

    def test_the_peak_of_a_short_trace(self):
        # All is free again long before the trace is read whole.
        size, count = 256 << 10, 400
        lines = ["0", "0", "0", "1", *(f"a {at} {size}" for at in range(count)), *(f"f {at}" for at in range(count))]
        (self.folder / "hill.rep").write_text("\n".join(lines) + "\n")
        (one,) = self.document("hill.rep", "--allocator", "tlsf", "--real", "glibc")["real"]
        self.assertGreaterEqual(one["peak_rss"], size * count)
        self.assertGreaterEqual(one["seconds"], 0)

    def damage(self):
        """A trace of two frames, without its end."""
        numbers = random.Random(5)
        lines = ["0", "0", "0", "1", *(f"a {at} {numbers.randint(1, 300)}" for at in range(90_000))]
        (self.folder / "long.rep").write_text("\n".join(lines) + "\n")
        subprocess.run([self.binary, "trace", "-q", "--import", "rep", "long.rep", "-o", "bad.mtr"], cwd=self.folder, check=True)
        path = self.folder / "bad.mtr"
        path.write_bytes(path.read_bytes()[:-2000])

    def test_a_damaged_trace(self):
        self.damage()
        words = ("--allocator", "tlsf,buddy", "--real", "glibc", "--json", "out.json")
        for first, read in ((0, 65536), (1000, 64536)):
            done = self.simulate("bad.mtr", "one.rep", *words, "--first", first, status=1)
            self.assertEqual(done.stderr.count("mmt: "), 1, done.stderr)
            self.assertIn("damaged after event 65536", done.stderr)
            self.assertIn("damaged after event 65536", done.stdout)
            told = json.loads((self.folder / "out.json").read_text())
            found = [one for one in told["results"] if one["trace"] == "bad"]
            self.assertEqual([(one["events"], one["damaged_after"]) for one in found], [(read, 65536)] * 2)
            self.assertNotIn("damaged_after", told["results"][-1])
            self.assertGreater(told["bounds"]["bad"]["packing_bytes"], 0)
            self.assertEqual(told["real"][0]["events"], read)
            self.assertIn("median of 2 traces", done.stdout)
        done = self.simulate("bad.mtr", *words, "--first", 70000, status=1)
        self.assertIn("damaged after event 65536", done.stderr)
        self.assertNotIn("needs the least memory", done.stdout)

    def test_what_a_list_says_has_failed(self):
        self.damage()
        (self.folder / "empty.mtr").touch()
        failed = [{"file": file, "error": f"no room for {file}"} for file in ("bad.mtr", "empty.mtr", "gone.mtr")]
        for whole in ([{"file": "one.rep"}], []):
            told = {"mmt_trace_processes": 1, "processes": whole, "failed": failed}
            (self.folder / "all.mtr").write_text(json.dumps(told))
            done = self.simulate("all.mtr", "--allocator", "tlsf", "--json", "out.json", status=1)
            told = json.loads((self.folder / "out.json").read_text())
            names = {one["trace"]: one["events"] for one in told["results"]}
            self.assertEqual(names, {"bad": 65536, **({"one": 2000} if whole else {})})
            for one in failed:
                line = f"mmt: trace '{self.folder / one['file']}' was not written whole: {one['error']}\n"
                self.assertEqual(done.stderr.count(line), 1, done.stderr)
            self.assertIn("damaged after event 65536", done.stderr)

    def test_names_that_are_no_utf8(self):
        """Names of a list and of what it lists: reports have them as far as they can."""
        name = os.fsdecode(b"\xe9.rep")
        os.rename(self.folder / "one.rep", self.folder / name)
        os.rename(self.folder / "two.rep", self.folder / os.fsdecode(b"\xea.rep"))
        listed = [{"file": "\ufffd.rep", "file_bytes": raw.hex()} for raw in (b"\xe9.rep", b"\xea.rep")]
        path = self.folder / os.fsdecode(b"\xff.mtr")
        path.write_text(json.dumps({"mmt_trace_processes": 1, "processes": listed}))
        reports = ["--json", "out.json", "--csv", "out.csv", "--html", "out.html"]
        if importlib.util.find_spec("pyarrow"):
            reports += ["--parquet", "out.parquet"]
        library = self.compile(self.folder / os.fsdecode(b"\xfd.so"), lab_support.ALLOCATOR, "-shared", "-fPIC")
        words = [self.binary, "simulate", path, "--allocator", "tlsf,buddy", "--real", f"glibc,{library}", *reports]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, timeout=120, check=False,
                              env=lab_support.clean_environment())  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(rb"\xe9: 2000 events", done.stdout)
        told = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(len(told["results"]), 4)
        self.assertEqual({one["events"] for one in told["results"]}, {2000})
        checked = subprocess.run([*words[:5], "--check"], cwd=self.folder, capture_output=True, timeout=120,
                                 check=False, env=lab_support.clean_environment())  # fmt: skip
        self.assertEqual((checked.returncode, checked.stderr), (0, b""))
        self.assertIn(rb"buddy keeps its invariants at 2000 events of \xea", checked.stdout)

    def test_a_list_of_nothing_that_is_there(self):
        told = {"mmt_trace_processes": 1, "processes": [], "failed": [{"file": "gone.mtr", "error": "no room"}]}
        for failed, says in ((told["failed"], "gone.mtr' was not written whole: no room"), ([], "no trace is listed")):
            (self.folder / "all.mtr").write_text(json.dumps(told | {"failed": failed}))
            done = self.simulate("all.mtr", status=1)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stderr.count("mmt: "), 1)

    def test_nothing_is_written_onto_what_is_read(self):
        before = (self.folder / "one.rep").read_bytes()
        (self.folder / "link").symlink_to("one.rep")
        os.link(self.folder / "one.rep", self.folder / "other")
        listed = json.dumps({"mmt_trace_processes": 1, "processes": [{"file": "one.rep"}]})
        (self.folder / "all.mtr").write_text(listed)
        for trace, output in (("one.rep", "one.rep"), ("link", "one.rep"), ("one.rep", "other"),
                              ("all.mtr", "link"), ("all.mtr", "all.mtr")):  # fmt: skip
            for report in ("json", "csv", "html"):
                done = self.simulate(trace, f"--{report}", output, status=2)
                self.assertEqual(done.stdout, "")
                self.assertIn(f"mmt: cannot write '{output}': it is what is read", done.stderr)
                self.assertEqual((self.folder / "one.rep").read_bytes(), before)
                self.assertEqual((self.folder / "all.mtr").read_text(), listed)

    def test_invariants_up_to_the_damage(self):
        self.damage()
        done = self.simulate("bad.mtr", "--allocator", "sss,buddy", "--check", "--first", 63000, status=1)
        self.assertEqual(done.stderr.count("damaged after event 65536"), 1, done.stderr)
        for name in ("sss", "buddy"):
            self.assertIn(f"{name} keeps its invariants at 2536 events of bad, before its damage", done.stdout)

    def test_a_slice_behind_the_end(self):
        for words in ((), ("--html", "page.html"), ("--check",), ("--real", "glibc")):
            done = self.simulate("one.rep", "--allocator", "tlsf,buddy", "--first", 1_000_000, *words, status=1)
            self.assertEqual(done.stderr.count("mmt: "), 1, done.stderr)
            self.assertIn("has only 2000 events", done.stderr)
            self.assertNotIn("tlsf", done.stdout)
        done = self.simulate("one.rep", "two.rep", "--allocator", "tlsf", "--first", 1_999)
        self.assertIn("median of 2 traces", done.stdout)

    def test_traces_that_were_replayed_are_counted(self):
        self.write("short.rep", 3, 100)
        done = self.simulate("one.rep", "short.rep", "--allocator", "tlsf", "--first", 500, status=1)
        self.assertNotIn("traces", done.stdout)

    def test_table_and_sentence_tell_the_same_median(self):
        for seed in (3, 4):
            self.write(f"{seed}.rep", seed, 200 * seed)
        done = self.simulate("one.rep", "two.rep", "3.rep", "4.rep", "--allocator", "buddy")
        lines = done.stdout.splitlines()
        table = float(next(line for line in lines if line.startswith("buddy ")).split()[-1])
        told = next(line for line in lines if "needs the least memory" in line)
        self.assertIn(f" {table - 1:.0%} above", told)

    def test_a_list_of_another_version(self):
        (self.folder / "all.mtr").write_text(json.dumps({"mmt_trace_processes": 2, "processes": [{"file": "one.rep"}]}))
        self.assertIn("unknown version 2", self.simulate("all.mtr", status=1).stderr)

    def test_what_gets_no_memory_wins_nothing(self):
        lines = [*"0001", *(f"a {at} {2**30}" for at in range(8))]
        (self.folder / "big.rep").write_text("\n".join(lines) + "\n")
        words = ("big.rep", "--allocator", "sbt-ff:paper,tlsf")
        for more in ((), ("--no-bounds",)):
            done = self.simulate(*words, *more, status=1)
            self.assertIn("at most 8.00 GiB live", done.stdout)
            self.assertIn("tlsf needs the least memory", done.stdout)
            self.assertIn("tlsf looks at the fewest nodes", done.stdout)
        rows = {line.split()[0]: line for line in done.stdout.splitlines()[1:4]}
        self.assertTrue(rows["allocator"].endswith("failed"))
        # Four chunks of 1 GiB and what lies around them are more than 32 bits tell.
        self.assertTrue(rows["sbt-ff:paper"].endswith("  5"), rows)
        self.assertTrue(rows["tlsf"].endswith("  1.00"), rows)
        self.simulate(*words, "--json", "out.json", "--html", "page.html", status=1)
        told = json.loads((self.folder / "out.json").read_text())
        problem = "trace 'big', allocator sbt-ff:paper: 5 requests got no memory"
        self.assertEqual([one["text"] for one in told["problems"]], [problem])
        self.assertIn(problem, page_support.Page((self.folder / "page.html").read_text()).words())

    def test_where_all_fail_nothing_is_ranked(self):
        lines = [*"0001", *(f"a {at} {2**30}" for at in range(8))]
        (self.folder / "big.rep").write_text("\n".join(lines) + "\n")
        done = self.simulate("big.rep", "--allocator", "sbt-ff:paper", "--no-bounds", status=1)
        self.assertNotIn("needs the least", done.stdout)
        self.assertNotIn("live", done.stdout.splitlines()[0])

    def test_a_real_allocator_without_memory(self):
        (self.folder / "big.rep").write_text(f"0\n0\n0\n1\na 0 {2**62}\na 1 8\n")
        done = self.simulate(
            "big.rep", "--allocator", "tlsf", "--real", "glibc", "--json", "out.json", status=1
        )
        told = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(told["real"][0]["failed"], 1)
        self.assertIn("allocator glibc: 1 request got no memory", told["problems"][-1]["text"])
        row = next(line for line in done.stdout.splitlines() if " glibc " in line)
        self.assertTrue(row.endswith("  1"), row)

    def test_a_real_allocator_that_breaks_spoils_nothing_else(self):
        call = "void __attribute__((constructor)) first(void) { %s }"
        for name, does, says in (("abort", "abort();", "ended by SIGABRT"),
                                 ("words", 'puts("hello");', "is not the replay's alone")):  # fmt: skip
            source = "#include <stdio.h>\n#include <stdlib.h>\n" + lab_support.ALLOCATOR + call % does
            bad = self.compile(self.folder / f"{name}.so", source, "-shared", "-fPIC")
            words = ("--allocator", "tlsf", "--real", f"{bad},glibc", "--json", "out.json", "--csv", "out.csv")
            done = self.simulate("one.rep", "two.rep", *words, status=1)
            self.assertEqual(done.stderr.count(says), 2, done.stderr)
            self.assertIn("tlsf needs the least memory", done.stdout)
            told = json.loads((self.folder / "out.json").read_text())
            self.assertEqual([(one["trace"], one["allocator"]) for one in told["real"]], [("one", "glibc"), ("two", "glibc")])
            self.assertEqual([one["trace"] for one in told["problems"]], ["one", "two"])
            self.assertEqual(len((self.folder / "out.csv").read_text().splitlines()), 5)

    def test_no_room_for_what_real_allocators_read(self):
        full = self.program("full", "echo \"mmt: cannot write '$3'\" >&2; exit 1")
        found = [traces.Trace(name, str(self.folder / f"{name}.rep")) for name in ("one", "two")]
        chosen = [real.contenders.Contender(Allocator(name), False) for name in ("glibc", "lea")]
        options = mock.Mock(first=0, events=None)
        installation = mock.Mock(**{"own_program.return_value": full})
        for folder, says in ((None, "cannot write '"), ("/nowhere", "No such file")):
            with mock.patch.object(tempfile, "tempdir", folder):
                results, problems = real.replay(chosen, found, options, installation, mock.Mock())
            self.assertEqual((results, [one.trace for one in problems]), ([], ["one", "two"]))
            for one in problems:
                self.assertIn(f"glibc, lea cannot replay '{self.folder / one.trace}.rep': ", one.text)
                self.assertIn(says, one.text)

    def test_standard_input(self):
        words = [self.binary, "simulate", "/dev/stdin", "--allocator", "tlsf"]
        with open(self.folder / "one.rep", encoding="utf-8") as file:
            done = subprocess.run(words, stdin=file, text=True, capture_output=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = subprocess.run(words, input="a 0 8\n", text=True, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("'/dev/stdin' is no regular file", done.stderr)

    def test_what_is_wrong(self):
        (self.folder / "bad.rep").write_text("1\n1\n1\n1\na 0 8\nf 7\n")
        for words, status, says in (
            (("none.mtr",), 1, ("none.mtr",)),
            ((), 2, ("FILE",)),
            (("one.rep", "--allocator", "sbt-fff"), 2, ("sbt-fff", "sbt-ff")),
            (("one.rep", "--allocator", "buddy:align=3"), 2, ("align=3",)),
            (("one.rep", "--allocator", "sbt-ff,,tlsf"), 2, ("sbt-ff,,tlsf", "empty name")),
            (("one.rep", "--allocator", ""), 2, ("needs names",)),
            (("one.rep", "--real", "glibc,"), 2, ("'glibc,'", "empty name")),
            (("one.rep", "--real", "nonsense"), 2, ("nonsense",)),
            (("one.rep", "--json", "/no/such/file"), 1, ("/no/such/file",)),
            (("bad.rep", "one.rep", "--allocator", "tlsf"), 1, ("bad.rep", "line 6")),
        ):  # fmt: skip
            done = self.simulate(*words, status=status)
            for one in says:
                self.assertIn(one, done.stderr)


if __name__ == "__main__":
    lab_support.main()
