"""What `mmt bench` says of its figures: sentences, warnings, tables that fit, ratios that agree."""

import html
import io
import os
import re
import unittest
from unittest import mock

import lab_support
from mmt_lab.measuring import contenders
from mmt_lab.command import progress
from mmt_lab.bench import answer, suites, tell
from mmt_lab.results.bench_result import BenchResult
from mmt_lab.study.experiment import Allocator, Kind, Program, Run
from mmt_lab.command.failure import Failure
from mmt_lab.reporters import bench_console, bench_files, bench_tables
from mmt_lab.measuring.samples import Samples
from mmt_lab.measuring.session import Outcome
from mmt_lab.results.statistics import geometric_mean_of_ratios, ratio_of_medians

NAMES = ("mmt", "glibc", "tcmalloc-minimal")


def result_of(walls, names=NAMES, program="p", remarks=()):
    """A bench of one program: `walls` are a list of seconds for each allocator, or a problem."""
    return result_of_programs({program: walls}, names, remarks)


def result_of_programs(programs, names=NAMES, remarks=()):
    chosen = [contenders.Contender(Allocator(one), one == "mmt") for one in names]
    samples, problems = Samples(), {}
    told = [Program(one, (one,), rounds=9) for one in programs]
    for program in told:
        for one, walls in zip(chosen, programs[program.name], strict=True):
            key = Run(Kind.TIMED, program, one.allocator).key
            if isinstance(walls, str):
                problems[key] = walls
                continue
            for index, wall in enumerate(walls):
                samples.add(key, index, {"wall": wall, "cpu": wall * 2, "peak_rss": 3e6})
    units = {"wall": "s", "cpu": "s", "peak_rss": "bytes"}
    outcome = Outcome(samples, problems, 9, True, [])
    return BenchResult(
        1, "bench", ("mmt", "bench"), {}, 1, 9, 0.0,
        tuple(tell.Allocator(one.name, "", "", "", "1.2.3", one.is_mmt) for one in chosen),
        (), (), tuple(tell.program_result(one, chosen, outcome, units) for one in told), remarks,
    )  # fmt: skip


def shown(result, columns=80, **options):
    stream = io.StringIO()
    with mock.patch.dict(os.environ, {"COLUMNS": str(columns)}):
        bench_console.show(result, stream, **options)
    return stream.getvalue()


FAST, SLOW = [1.0, 1.02, 0.98, 1.01, 0.99], [2.0, 2.1, 1.9, 2.05, 1.95]


class Sentences(unittest.TestCase):
    def only(self, walls, **options):
        return answer.sentences(result_of(walls, **options))[0]

    def test_faster_and_slower(self):
        said = self.only([FAST, SLOW, SLOW])
        self.assertRegex(said, r"^mmt ran 2\.00 times as fast as glibc \(1\.\d+ to 2\.\d+\); ")
        self.assertTrue(said.endswith("CPU 0.50, memory 1.00."), said)
        self.assertIn("mmt took 2.00 times as long as glibc (", self.only([SLOW, FAST, SLOW]))

    def test_no_difference(self):
        said = self.only([FAST, [*FAST[1:], FAST[0]], SLOW])
        self.assertIn("mmt and glibc: no difference that 5 runs can show", said)

    def test_too_few_runs(self):
        said = self.only([FAST[:4], SLOW[:4], SLOW[:4]])
        self.assertRegex(said, r"^mmt took 0\.\d\d of the time of glibc, in 4 runs each: too few for an ")
        self.assertIn("--runs 5 gives one", said)
        self.assertNotRegex(said, r"\d to \d", "no interval")

    def test_the_best_of_the_others_is_named(self):
        said = answer.sentences(result_of([SLOW, [4.0] * 5, FAST]))
        self.assertEqual(len(said), 2)
        self.assertIn("as tcmalloc-minimal, the best of the others", said[1].replace("as long as", "as"))

    def test_several_programs(self):
        said = answer.sentences(
            result_of_programs({"a": [FAST, SLOW, SLOW], "b": [FAST, FAST, SLOW]})
        )[0]
        self.assertRegex(said, r"^Over 2 programs mmt ran 1\.41 times as fast as glibc \(")

    def test_nothing_to_compare(self):
        self.assertIn("nothing to compare", self.only([FAST], names=("glibc",)))
        self.assertIn("Nothing was measured", self.only(["exit status 3"] * 3))


class Warnings(unittest.TestCase):
    def said(self, walls, **options):
        return " ".join(answer.warnings(result_of(walls, **options)))

    def test_short_runs(self):
        self.assertIn("less than 50 ms", self.said([[0.049] * 5, SLOW, SLOW]))
        self.assertEqual(self.said([[0.051] * 5, SLOW, SLOW]), "")

    def test_outliers(self):
        self.assertIn("p with glibc", self.said([FAST, [*SLOW[1:], 9.0], SLOW]))
        self.assertEqual(self.said([FAST, [*SLOW[1:], 2.11], SLOW]), "")

    def test_load(self):
        self.assertIn("busy", self.said([FAST, SLOW, SLOW], remarks=("the machine was busy",)))


class Tables(unittest.TestCase):
    def test_they_fit(self):
        result = result_of([FAST, SLOW, "exit status 3"], program="a-program-of-a-long-name" * 3)
        for columns in (80, 48, 36):
            lines = shown(result, columns).splitlines()
            table = lines[: lines.index("")]
            self.assertLessEqual(max(map(len, table)), columns)
            self.assertIn("1.00 s", " ".join(table))
        self.assertIn("memory", shown(result, 80))
        self.assertGreater(max(map(len, shown(result, 48, wide=True).splitlines())), 80)

    def test_ratios_are_those_of_the_medians_beside_them(self):
        """A median of paired ratios would be 1.172 here."""
        walls = [0.86, 1.2, 0.8, 0.9, 0.7], [0.7, 1.0, 0.95, 0.86, 0.99], [1.0] * 5
        text = shown(result_of(walls))
        row = re.search(r"^  mmt 1\.2\.3 +(\d+) ms +(\d\.\d\d) \(", text, re.M)
        base = re.search(r"^  glibc 1\.2\.3 +(\d+) ms +1 ", text, re.M)
        self.assertAlmostEqual(float(row[2]), float(row[1]) / float(base[1]), delta=0.006)

    def test_no_interval_below_five_runs(self):
        self.assertNotRegex(shown(result_of([FAST[:4], SLOW[:4], SLOW[:4]])), r"\(\d[^)]* to ")
        self.assertRegex(shown(result_of([FAST, SLOW, SLOW])), r"0\.50 \(0\.\d\d to 0\.\d\d\)")

    def test_colours_only_on_a_terminal(self):
        self.assertNotIn("\033", shown(result_of([FAST, SLOW, SLOW])))
        for no_color, coloured in (("", True), ("1", False)):
            stream = io.StringIO()
            stream.isatty = lambda: True
            with mock.patch.dict(os.environ, {"NO_COLOR": no_color, "TERM": "xterm"}):
                bench_console.show(result_of([FAST, SLOW, SLOW]), stream)
            self.assertEqual("\033[" in stream.getvalue(), coloured)

    def test_markdown(self):
        text = bench_files.render_markdown(result_of([FAST, SLOW, SLOW], program="a|b"))
        table = [one for one in text.splitlines() if one.startswith("|")]
        self.assertEqual(len(table), 2 + 3)
        self.assertIn("a\\|b", table[2])
        self.assertIn("mmt ran 2.00 times as fast", text)

    def test_parts_of_markdown_stand_apart(self):
        """Text, table, list and command are each a paragraph: without an empty line between, a
        renderer takes one for a part of the other."""
        text = bench_files.render_markdown(result_of([FAST, SLOW, SLOW], remarks=("busy", "short")))
        parts = [part.splitlines() for part in text.rstrip("\n").split("\n\n")]
        self.assertEqual(["".join(sorted({line[0] for line in part})) for part in parts][1:], ["|", "-", "`"])
        self.assertTrue(parts[0][0].startswith("mmt ran"), parts)


def of_page(tag, lines):
    return [html.unescape(one) for one in re.findall(rf"<{tag}>(.*?)</{tag}>", "".join(lines))]


class Pages(unittest.TestCase):
    """A page speaks as the terminal does: the same headings, the same figures."""

    def assert_same(self, terminal, page, beside):
        """`terminal`: lines of a table; `beside`: what the page has more, before it and behind it."""
        head, *rows = (re.split(" {2,}", line.strip()) for line in terminal)
        before, behind = beside
        self.assertEqual(of_page("th", page), [*before, *head, *(title for title, _ in behind)])
        cells = of_page("td", page)
        for row in rows:
            for cell in row:
                self.assertIn(cell, cells)

    def test_its_headings_are_those_of_the_terminal(self):
        result = result_of_programs({"p": [FAST, SLOW, SLOW], "q": [SLOW, FAST, "it fails"]})
        runs, means, *_ = shown(result, wide=True).split("\n\n")
        self.assertIn("(0.", runs)
        page = list(bench_tables.runs(result, "anchor"))
        self.assert_same(
            runs.splitlines(), page, (("program", "allocator"), bench_tables.BESIDE_RUNS)
        )
        charts = re.findall(r"""title":\s*\{"text":\s*"(\w+), glibc = 1""", "".join(page))
        self.assertEqual(charts, ["time", "memory"])
        self.assert_same(
            means.splitlines()[1:], list(bench_tables.means(result)),
            (("allocator",), bench_tables.BESIDE_MEANS),
        )  # fmt: skip


class Rounds(unittest.TestCase):
    def test_an_interrupted_round_does_not_count_where_it_is_not_whole(self):
        result = result_of([FAST, SLOW[:4], SLOW])
        self.assertEqual({len(one.metrics["wall"].samples) for one in result.programs[0].cells}, {4})


class Ratios(unittest.TestCase):
    def test_of_medians(self):
        tops, bottoms = dict(enumerate([1, 9, 2])), dict(enumerate([4, 1, 2]))
        self.assertEqual(ratio_of_medians(tops, bottoms).value, 1.0)
        self.assertIsNone(ratio_of_medians(tops, dict.fromkeys(range(3), 0)))
        self.assertIsNone(ratio_of_medians(tops, {7: 1.0}))

    def test_what_disturbs_both_falls_out(self):
        noise = [1, 5, 2, 7, 3, 9, 4]
        estimate = ratio_of_medians(
            dict(enumerate(2.0 * one for one in noise)), dict(enumerate(noise))
        )
        self.assertEqual((estimate.low, estimate.value, estimate.high), (2.0, 2.0, 2.0))

    def test_two_rounds_give_their_extremes(self):
        estimate = ratio_of_medians({0: 4.0, 1: 2.0}, {0: 1.0, 1: 1.0})
        self.assertEqual((estimate.low, estimate.value, estimate.high), (2.0, 3.0, 4.0))

    def test_geometric_mean(self):
        one = {0: 1.0, 1: 1.0, 2: 1.0}
        half, double = ({key: factor for key in one} for factor in (0.5, 2.0))
        self.assertAlmostEqual(geometric_mean_of_ratios([(half, one), (double, one)]).value, 1.0)
        self.assertIsNone(geometric_mean_of_ratios([(half, {9: 1.0})]))

    def test_of_rates_more_is_better(self):
        slow, fast = (tell.Metric("1/s", one, one, one, (tell.Sample(0, one),)) for one in (5.0, 10.0))
        self.assertEqual(tell.ratio_of(fast, slow).value, 0.5)


class Progress(unittest.TestCase):
    def test_it_never_fills_the_last_column(self):
        for width in (120, 80, 48, 20, 1):
            line = progress.line("round 3: a program of some name jemalloc", 0.5, 75, width)
            self.assertLess(len(line), max(width, 1))
        self.assertIn("1:15 left", progress.line("x", 0.5, 75, 48))


class Suites(unittest.TestCase):
    def parsed(self, text):
        return suites.parse(text, "/suites/x.json", "/w")

    def test_placeholders(self):
        (one,) = self.parsed(
            """{"schema": 1, "name": "growth", "programs": [
            {"name": "tree", "command": ["{workloads}/tree", "{suite}/a", "{tmp}/b"], "runs": 3,
             "env": {"A": "{suite}"}, "comment": "nothing"}]}"""
        )
        self.assertEqual(one.command, ("/w/tree", "/suites/a", "{tmp}/b"))
        self.assertEqual((one.rounds, one.environment), (3, (("A", "/suites"),)))

    def test_problems_name_the_program(self):
        for program, problem in (
            ('{"name": "p", "comand": []}', "program 'p': unknown key 'comand'"),
            ('{"name": "p", "command": ["x"], "pin": "first"}', "'first' is no list of CPUs"),
            ('{"name": "p", "command": ["x"], "runs": true}', "runs is no whole number"),
            ('{"name": "p"}', "no command"),
            ("7", "no object"),
        ):
            text = f'{{"schema": 1, "name": "x", "programs": [{program}]}}'
            with self.assertRaisesRegex(Failure, re.escape(problem)):
                self.parsed(text)


if __name__ == "__main__":
    lab_support.main()
