"""`mmt study` from outside, on tiny programs: what it runs, how it ends, what it leaves behind."""

import csv
import os
import re
import shutil
import subprocess
import sys

import lab_support
import page_support

PARSER = ("parser_monolithic", "parser_system")
BOTH = ("timed parser_monolithic system", "timed parser_system system")

# Nothing is known of empty programs but that they were judged.
JUDGED = ("reproduced", "not reproduced", "undecided")
QUIET = ("-q", "--quiet")


class Study(lab_support.Bench):
    def setUp(self):
        super().setUp()
        for name in PARSER:
            self.program(name, "exit 0")

    def figure_1(self, *arguments):
        return self.study(
            "heap-layers", "--only", "figure-1", "--rounds", 3, "--output", "out", *arguments
        )

    def test_what_is_measured_is_told(self):
        status, out, err = self.figure_1()
        self.assertEqual((status, err), (0, ""), out)
        for text in ("figure-1", "system malloc", "paper 1.600", "asked for: at least", "3 rounds"):
            self.assertIn(text, out)
        report = self.report("out")
        self.assertEqual((report["schema"], report["kind"], report["rounds"]), (1, "study", 3))
        self.assertTrue(report["complete"])
        self.assertEqual(len(report["samples"]), 2 * 3 * 5)
        for name in ("cpu", "kernel", "thp", "governor", "libc", "compiler", "commit"):
            self.assertTrue(report["machine"][name], name)
        self.assertEqual(report["settings"]["seed"], 1)
        self.assertIn("parser_system", report["commands"]["timed parser_system system"])
        (experiment,) = report["experiments"]
        (grid,) = experiment["grids"]
        baseline = [one for one in grid["cells"] if one["column"] == "relative to xalloc"][0]
        self.assertEqual((baseline["ours"]["value"], baseline["paper"]), (1.0, 1.0))

    def test_five_rounds_are_judged(self):
        for flag in QUIET:
            status, out, err = self.study(
                "heap-layers", "--only", "figure-1", "--rounds", 5, "--output", "out", flag
            )
            self.assertEqual((status, err), (0, ""), out)
        verdict = self.report("out")["experiments"][0]["findings"][0]["verdict"]
        self.assertIn(verdict, JUDGED)
        self.figure_1("--fresh")
        finding = self.report("out")["experiments"][0]["findings"][0]
        self.assertEqual(finding["verdict"], "not judged")
        self.assertIn("3 of 5 rounds", finding["sentence"])

    def test_csv(self):
        self.figure_1()
        with open(self.folder / "out" / "results.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        cells = [row for row in rows if not row["verdict"]]
        self.assertEqual(len(cells), 4)
        self.assertEqual({row["experiment"] for row in rows}, {"figure-1"})
        verdict, part = (row for row in rows if row["verdict"])
        self.assertEqual((verdict["table"], verdict["column"], verdict["verdict"]), ("Verdicts", "", "not judged"))
        self.assertEqual((part["row"], part["asked"]), (verdict["row"], "at least 1.600"))
        self.assertEqual(part["median"], next(row["median"] for row in cells if row["unit"] == "ratio" and float(row["median"]) != 1))
        with open(self.folder / "out" / "samples.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(sum(row["metric"] == "cpu" for row in rows), 6)
        self.assertEqual({row["run"] for row in rows}, set(BOTH))

    def test_the_page_needs_nothing_else(self):
        self.figure_1()
        text = (self.folder / "out" / "report.html").read_text(encoding="utf-8")
        page = page_support.Page(text)
        self.assertEqual(page.loads, [])
        self.assertIsNone(re.search(r"@import|url\(", "".join(page.styles)))
        (chart,) = page.charts
        ours, paper = chart["data"]
        self.assertEqual(ours["x"], ["xalloc", "system malloc"])
        self.assertEqual(paper["y"], [1.0, 1.6])
        self.assertGreater(ours["y"][1], 0)
        self.assertIn("paper 1.600", "".join(page.text))
        self.assertRegex(text, r"\* plotly\.js [^\n]*v2\.")  # the library itself

    def test_the_tables_in_markdown(self):
        self.figure_1()
        lines = (self.folder / "out" / "report.md").read_text(encoding="utf-8").splitlines()
        table = [line for line in lines if line.startswith("|")]
        self.assertEqual(len(table), 4)
        self.assertEqual({line.count("|") for line in table}, {4})
        self.assertRegex(table[3], r"^\| system malloc \| .* \| .*\(paper 1\.600\) \|$")

    def test_same_samples_same_files(self):
        self.figure_1()
        names = ("report.json", "report.html", "report.md", "results.csv", "samples.csv",
                 "journal.jsonl")  # fmt: skip
        first = [(self.folder / "out" / name).read_bytes() for name in names]
        self.assertEqual(self.figure_1()[0], 0)
        self.assertEqual([(self.folder / "out" / name).read_bytes() for name in names], first)

    def test_files_are_written_even_when_nothing_can_be_printed(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [self.binary, "study", "heap-layers", "--only", "figure-1", "--rounds", "1"],
                cwd=self.folder, env=lab_support.clean_environment(), stdout=full,
                stderr=subprocess.PIPE, text=True, check=False,
            )  # fmt: skip
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^mmt: [^\n]*\n$")
        self.assertEqual(self.report("study-heap-layers")["rounds"], 1)

    def test_a_missing_program_is_named_and_the_rest_goes_on(self):
        status, out, err = self.study("heap-layers", "--only", "figure-1,figure-3", "--rounds", 1)
        self.assertEqual((status, err), (1, ""), out)
        self.assertIn("missing: timed parser_layered system: there is no program", out)
        report = self.report("study-heap-layers")
        first, second = (one["findings"][0]["verdict"] for one in report["experiments"])
        self.assertEqual(first, "not judged", "of one round nothing is claimed")
        self.assertEqual(second, "not measured")
        self.assertEqual(len(report["experiments"][1]["missing"]), 3)

    def test_a_program_whose_check_fails_is_missing(self):
        self.program("parser_system", "echo wrong answer >&2; exit 1")
        status, out, _ = self.figure_1()
        self.assertEqual(status, 1)
        self.assertIn("timed parser_system system: exit status 1: wrong answer", out)
        self.assertNotIn("parser_system", "".join(f"{one}" for one in self.records("out")))

    def test_allocators_are_loaded_where_they_are_there(self):
        """One of the six programs is there, and two of the four libraries."""
        self.library("libmmt-lea.so")
        self.library("libmmt-kingsley.so", "int nothing;")
        self.program("cfrac", "exit 0")
        status, out, _ = self.study("heap-layers", "--only", "table-5", "--rounds", 2)
        self.assertEqual(status, 1)
        self.assertIn("missing: timed cfrac KingsleyHeap and 5 more: 'KingsleyHeap' does not take over", out)
        self.assertIn("timed cfrac Kingsley and 5 more: there is no library", out)
        runs = {run for run, _ in self.records("study-heap-layers")}
        self.assertEqual(runs & {"timed cfrac Lea"}, {"timed cfrac Lea"})
        self.assertIn("timed cfrac LeaHeap", runs)
        self.assertNotIn("timed cfrac KingsleyHeap", runs)
        commands = self.report("study-heap-layers")["commands"]
        self.assertIn("libmmt-lea.so", commands["timed cfrac LeaHeap"])
        self.assertIn("tcache_count=0", commands["timed cfrac Lea"])

    def test_a_program_that_reports_nothing_is_told(self):
        for name in ("macros", "functions", "inline_c", "layered", "layered_freelist"):
            self.program(f"cfront_{name}", "echo parse_s 1 s >>$MMT_BENCH_REPORT")
        self.program("cfront_functions", "exit 0")
        status, out, _ = self.study("heap-layers", "--only", "figure-4", "--rounds", 1)
        self.assertEqual(status, 1)
        self.assertIn("timed cfront_functions system: it gave no 'reported.parse_s'", out)

    def test_small_inputs_are_a_trial(self):
        for name in PARSER:
            self.program(name, '[ "$1" = --small ]')
        status, out, _ = self.figure_1("--small")
        self.assertEqual(status, 0)
        self.assertIn("not judged", " ".join(out.split()))
        self.assertIn("small inputs", self.report("out")["remarks"][-1])

    def test_the_papers_inputs(self):
        """Those that it names, and the program's own else. The libraries are not there."""
        for name in ("cfrac", "roboop"):
            self.program(name, "exit 0")
        self.study(
            "mmt", "--only", "bucket-sizes", "--rounds", 1, "--paper-inputs", "--output", "out"
        )
        report = self.report("out")
        commands = report["commands"]
        self.assertIn("--number 18011526082839904", commands["timed cfrac, short Lea"])
        self.assertTrue(commands["timed roboop, short Lea"].endswith("--samples 150 --steps 100"))
        self.assertIn("--paper-inputs", report["command"])
        self.assertIn("the paper's inputs", report["remarks"][-1])
        self.assertEqual(report["settings"]["paper_inputs"], True)


class CommandLine(lab_support.Bench):
    def refused(self, status, *words_and_fragment, **variables):
        *words, fragment = words_and_fragment
        result = self.study(*words, **variables)
        self.assertEqual(result[0], status, result)
        self.assertRegex(result[2], rf"^mmt: [^\n]*{re.escape(fragment)}[^\n]*\n$")

    def test_lists(self):
        status, out, _ = self.study()
        self.assertEqual(status, 0)
        self.assertIn("heap-layers", out)
        status, out, _ = self.study("heap-layers", "--list")
        self.assertEqual(status, 0)
        rows = [line for line in out.splitlines() if not line.startswith(" ")]
        names = [line.split()[0] for line in rows]
        for line in rows:
            self.assertRegex(line, r"^\S+ +\d+ (s|minutes?)  \S", "with the time that it takes")
        self.assertEqual(names.pop(), "all")
        wanted = [f"figure-{one}" for one in (1, 3, 4, 6)] + [f"table-{one}" for one in range(2, 7)]
        wanted.append("not-compared")
        self.assertEqual(names, wanted)
        status, out, _ = self.study("heap-layers", "--list", "--only", "table-2")
        self.assertEqual((status, [line.split()[0] for line in out.splitlines()]), (0, ["table-2"]))
        self.assertEqual(self.study("heap-layers", "--list", "--only", "none-such")[0], 2)

    def test_help_has_the_options(self):
        status, out, err = self.study("--help")
        self.assertEqual((status, err), (0, ""))
        flags = "--only --output --budget --rounds --seed --timeout --small --short --paper-inputs --fresh"
        for flag in flags.split():
            self.assertIn(flag, out)
        self.assertEqual(self.study("heap-layers", "--help")[1], out)

    def test_wrong_use(self):
        self.refused(2, "nonsense", "there is no study 'nonsense'; there are heap-layers")
        self.refused(2, "heap-layer", "there is no study 'heap-layer'; did you mean 'heap-layers'?")
        self.refused(2, "--lst", "unknown option '--lst'; did you mean '--list'? See 'mmt study --help'")
        self.refused(2, "heap-layers", "--only", "figure-9", "heap-layers has no 'figure-9'")
        self.refused(2, "heap-layers", "--only", "figur-1", "did you mean 'figure-1'?")
        self.refused(2, "heap-layers", "--only", ",", "--only")
        self.refused(2, "heap-layers", "--nonsense", "--nonsense")
        self.refused(2, "heap-layers", "--rounds", "0", "'0' is no number from 1")
        self.refused(2, "heap-layers", "--budget", "soon", "'soon' is no number")
        self.refused(2, "heap-layers", "--seed", "--seed")
        self.refused(2, "heap-layers", "--paper-inputs", "heap-layers has none of its paper's")
        self.refused(2, "--only", "figure-1", "--only: of which study? There are heap-layers, mmt")
        self.refused(2, "--budget", "5", "--budget: of which study?")
        self.refused(2, "mmt", "--small", "--paper-inputs", "not allowed with --small")
        self.refused(2, "heap-layers", "--", "true", "no command")

    def test_output_that_cannot_be_used(self):
        (self.folder / "file").write_text("")
        self.program("parser_system", "exit 0")
        self.refused(1, "heap-layers", "--output", "file/below", "cannot make the folder")

    def test_no_laboratory_or_python(self):
        self.refused(1, "--help", "there is no laboratory in '/no/lab'", MMT_LAB="/no/lab")
        self.refused(1, "--help", "cannot use '/no/python'", MMT_LAB_PYTHON="/no/python")

    def test_missing_packages_are_named(self):
        # A laboratory whose Python finds no package at all.
        lab = self.folder / "lab"
        shutil.copytree(lab_support.ROOT / "lab", lab)
        python = self.folder / "python"
        python.write_text('#!/bin/sh\nexec /usr/bin/python3 -S "$@"\n')
        python.chmod(0o755)
        self.refused(
            1, "apt-get install python3-numpy python3-rich python3-plotly",
            MMT_LAB=lab, MMT_LAB_PYTHON=python,
        )  # fmt: skip

    def test_another_python_in_front_changes_nothing(self):
        folder = self.folder / "python" / "bin"
        folder.mkdir(parents=True)
        (folder / "python3").write_text("#!/bin/sh\nexit 9\n")
        (folder / "python3").chmod(0o755)
        # By this file Python would know its own libraries.
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        landmark = folder.parent / "lib" / version / "os.py"
        landmark.parent.mkdir(parents=True)
        landmark.write_text("")
        (self.folder / "numpy.py").write_text("raise SystemExit(9)\n")  # where it is started
        variables = {"PATH": f"{folder}:/usr/bin:/bin", "PYTHONPATH": self.folder}
        self.assertEqual(self.study(**variables)[0], 0)

    def test_output_onto_a_full_disk(self):
        for arguments in ((), ("--help",), ("heap-layers", "--list")):
            with open("/dev/full", "w") as full:
                done = subprocess.run(
                    [self.binary, "study", *arguments], env=lab_support.clean_environment(),
                    stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                )  # fmt: skip
            self.assertEqual(done.returncode, 1)
            why = "cannot write to standard output: No space left on device"
            self.assertEqual(done.stderr, f"mmt: {why}\n")

    def test_streams_that_are_closed_or_nobody_reads(self):
        lost = "mmt: cannot write to standard output\n"
        for redirections, status, err in (
            (">&-", 1, lost), ("<&- >&-", 1, lost), (">&- 2>&-", 1, ""), (">&- 2>/dev/full", 1, ""),
            ("2>&-", 0, ""), ("<&-", 0, ""), (">&3", 141, ""),
        ):  # fmt: skip
            reader, writer = os.pipe()
            os.close(reader)
            done = subprocess.run(
                ["sh", "-c", f'exec 3>&{writer}; "$0" study --list {redirections}', self.binary],
                env=lab_support.clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                pass_fds=[writer], text=True, check=False,
            )  # fmt: skip
            os.close(writer)
            self.assertEqual((done.returncode, done.stderr), (status, err), redirections)

    def test_a_budget_that_cannot_be_kept_is_refused(self):
        status, out, err = self.study("heap-layers", "--budget", 1, "--output", "out")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"5 rounds of heap-layers need about \d+ minutes, more than the budget of 1 minute;")
        self.assertIn("--small or --only", err)
        self.assertFalse((self.folder / "out").exists(), "nothing was begun")

    def test_a_study_without_its_programs_says_so_in_one_line(self):
        for name in ("heap-layers", "stm", "abt-sbt"):
            status, out, err = self.study(name, "--rounds", 1, "--output", "out")
            self.assertEqual((status, out), (1, ""), err)
            self.assertRegex(err, r"^mmt: none of MMT's programs that .* runs is there, .*'make workloads' makes them\n$")
            self.assertFalse((self.folder / "out").exists(), "nothing was begun")

    def test_short_lists_fit_into_an_hour(self):
        """By what runs take about, as they are declared."""
        _, out, _ = self.study("--list", "--short")
        for line in out.splitlines():
            if line.startswith(" "):
                continue
            name, count, unit, *_ = line.split()
            self.assertTrue(unit == "s" or int(count) <= 60, line)
            status, its, err = self.study(name, "--list", "--short", "--budget", 60)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual([words[1:3] for row in its.splitlines() if (words := row.split())[0] == "all"][-1:],
                             [[count, unit]])

    def test_lists_take_each_study_s_own_rounds_and_fit_the_terminal(self):
        _, out, _ = self.study("--list")
        times = {words[0]: words[1:3] for line in out.splitlines() if (words := line.split())}
        for name in ("stm", "mmt"):
            _, out, _ = self.study(name, "--list")
            self.assertLessEqual(max(map(len, out.splitlines())), 80, out)
            whole = next(line for line in out.splitlines() if line.startswith("all "))
            self.assertEqual(whole.split()[1:3], times[name])

    def test_the_list_of_studies_says_how_long_they_take(self):
        for arguments in ((), ("--list",), ("--list", "--small")):
            _, out, _ = self.study(*arguments)
            for line in out.splitlines():
                self.assertRegex(line, r"^[\w-]+ +\d+ (s|minutes)  \w")


if __name__ == "__main__":
    lab_support.main()
