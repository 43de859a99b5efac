"""Every field of a result that is a text may be anybody's. No reporter hands it to a terminal, a
page or a table as it is."""

import dataclasses
import io
import json
import re
import unicodedata
import unittest
from unittest import mock

import lab_support
from mmt_lab.command import failure, progress, standard_output
from mmt_lab.reporters import (
    bench_console, bench_files, console, csv_files, html_page, joined_page, json_file, markdown, simulation_console,
    simulation_files,
)  # fmt: skip
from mmt_lab.results import bench_result as bench
from mmt_lab.results import result as study
from mmt_lab.results.result_files import Found
from mmt_lab.results.statistics import Estimate
from mmt_lab.simulate.result import Problem, Simulation
from mmt_lab.text import text_table
from mmt_lab.text.visible import visible

HOSTILE = "\x1b[31mred\n\r\t\x7f\x9b1m\u202ex\u2066\ufeff\u2028\"'`|</script><script>alert(1)</script><b>[red]x[/red] :smile: %{x}](javascript:1)\\\udcff"


def hostile(value, keep=("unit", "kind", "verdict", "chart_column")):
    """The same with every text of it hostile, but for words that programs choose from."""
    if dataclasses.is_dataclass(value):
        changes = {
            field.name: one if field.name in keep else hostile(one, keep)
            for field in dataclasses.fields(value)
            if (one := getattr(value, field.name)) is not None
        }
        return dataclasses.replace(value, **changes)
    if isinstance(value, str):
        return value + HOSTILE
    if isinstance(value, dict):
        return {name if name in ("wall", "cpu", "peak_rss") else name + HOSTILE: hostile(one, keep) for name, one in value.items()}
    return tuple(hostile(one, keep) for one in value) if isinstance(value, tuple) else value


def bench_of():
    samples = tuple(bench.Sample(at, 1.0 + at / 10) for at in range(7))
    ratio = bench.Ratio(0.9, 0.8, 1.0, "glibc")
    metric = bench.Metric("s", 1.0, 0.9, 1.1, samples, ratio, ratio)
    names = ("wall", "cpu", "peak_rss", "build", "malloc_call_p50")
    cells = tuple(bench.Cell(one, None, dict.fromkeys(names, metric)) for one in ("mmt", "glibc"))
    failed = (bench.Cell("mmt", "it fails", {}), bench.Cell("glibc", None, {"wall": metric}))
    allocators = (bench.Allocator("mmt", "/l", "o", "/m", "1"), bench.Allocator("glibc", "", "", "/c"))
    return bench.BenchResult(
        1, "bench", ("mmt", "bench"), {"CPU": "x"}, 1, 7, 1.0, allocators, (bench.Missing("a", "b"),),
        (bench.Missing("c", "d"),),
        (bench.Program("s", "one", ("p", "q"), "0", cells), bench.Program("", "two", ("p",), "", failed)), ("noisy",),
    )  # fmt: skip


def study_of():
    ours = Estimate(1.0, 0.9, 1.1, 7)
    cells = tuple(study.CellResult(r, c, "s", ours, 2.0) for r in ("r", "q") for c in ("c", "d"))
    def grid(chart):
        return study.GridResult("grid", "s", "row", ("r", "q"), ("c", "d"), chart, cells)
    grids = tuple(grid(one) for one in ("c", "*", "boxes", "heat", None))
    experiment = study.ExperimentResult(
        "figure-1", "title", (study.Finding("reproduced", "so"),), grids, (study.FactResult("a", "b", "c"),), ("note",),
        (study.Missing("run", "why"),),
    )  # fmt: skip
    return study.StudyResult(
        1, "study", "s", "title", "paper", ("mmt",), {"only": "x"}, {"CPU": "x"}, 7, True, ("remark",), {"run": "line"},
        (experiment,), (study.SampleResult("run", "metric", 1, 1.0),),
    )  # fmt: skip


def hostile_study():
    """Rows and columns of cells are those of the grid, whatever they are called."""
    made = hostile(study_of())
    experiment = made.experiments[0]
    grids = tuple(
        dataclasses.replace(one, chart_column=one.columns[0] if one.chart_column == "c" else one.chart_column)
        for one in experiment.grids
    )
    return dataclasses.replace(made, experiments=(dataclasses.replace(experiment, grids=grids),))


@dataclasses.dataclass
class Model:
    name: str
    factors: dict


def simulation_of():
    trace, model = "trace" + HOSTILE, "model" + HOSTILE
    searched = {"mean": 1.0, "max": 2, "histogram": [[1, 2]]}
    one = {
        "trace": trace, "allocator": model, "events": 10, "allocations": 5, "failed": 0, "peak_bytes": 9, "growth_calls": 1,
        "nodes_searched": {"allocation": searched, "free": searched}, "coalescing_frequency": 0.5, "rebalancing_nodes": 1,
        "internal_fragmentation": {"share": 0.1}, "free_chunks": {"mean": 1.0}, "os_pages": {"max": 1}, "live_bytes": {"max": 5},
        "resident_bytes": 9,
    }  # fmt: skip
    made = Simulation([{"name": trace, "path": "/" + HOSTILE, "events": 10}], [Model(model, {"balance": "weight"})], [one])
    made.problems = [Problem(trace, (), "damaged " + HOSTILE)]
    made.command = ("mmt", "simulate", HOSTILE)
    made.real = [{"trace": trace, "allocator": model, "peak_rss": 9, "seconds": 1.0, "cpu_seconds": 1.0, "minor_faults": 1, "major_faults": 0, "failed": 0}]
    return made


class Harmless(unittest.TestCase):
    def assert_harmless(self, text):
        wrong = {one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - {"\n"}
        self.assertEqual(wrong, set(), text[:2000])

    def assert_terminal(self, text):
        self.assert_harmless(text)
        self.assertIn("\\x1b[31mred\\n\\r\\t", text)

class Terminals(Harmless):
    def shown(self, show):
        stream = io.StringIO()
        with mock.patch("sys.stdout", stream), mock.patch("sys.stderr", stream):
            show(stream)
        return stream.getvalue()

    def test_bench_on_a_terminal(self):
        for wide in (False, True):
            self.assert_terminal(self.shown(lambda stream: bench_console.show(hostile(bench_of()), stream, wide)))

    def test_study_on_a_terminal(self):
        text = self.shown(lambda _: console.show(hostile_study()))
        self.assert_harmless(text)
        # What is between brackets is a name's, no style.
        self.assertIn("[red]x[/red] :smile:", re.sub(r"\s+", " ", text))

    def test_simulation_on_a_terminal(self):
        self.assert_terminal(self.shown(lambda stream: simulation_console.show(simulation_of(), stream)))

    def test_messages(self):
        self.assert_terminal(self.shown(lambda _: failure.tell(HOSTILE)))
        self.assertEqual(self.shown(lambda _: failure.tell(HOSTILE)).count("\n"), 1)
        self.assertEqual(self.shown(lambda _: standard_output.say(HOSTILE, HOSTILE)).count("\n"), 2)
        self.assert_terminal(text_table.hanging(HOSTILE, HOSTILE))
        self.assert_harmless(progress.line(HOSTILE, 0.5, 1, 500))

    def test_visible_is_that_of_the_command(self):
        """src/report/visible_test.cpp has the same pairs."""
        self.assertEqual(visible("a\x1b[31mb\nc\rd\te\x7f"), "a\\x1b[31mb\\nc\\rd\\te\\x7f")
        self.assertEqual(visible("\u202e\u2066\u200f\u061c\ufeff\u2028"), "\\u202e\\u2066\\u200f\\u061c\\ufeff\\u2028")
        self.assertEqual(visible("\x80\U000e0041\udc9b\udcff"), "\\u0080\\U000e0041\\x9b\\xff")
        self.assertEqual(visible("größe 日本 \U0001f600 \\ <b>"), "größe 日本 \U0001f600 \\ <b>")


class Files(Harmless):
    def test_json(self):
        for text in (
            bench_files.render_json(hostile(bench_of())), json_file.render(hostile_study()),
        ):  # fmt: skip
            self.assert_harmless(text)
            self.assertTrue(text.isascii())
            self.assertIn("\x1b[31mred\n", json.loads(text)["machine"]["CPU" + HOSTILE.replace("\udcff", "?")])

    def test_csv(self):
        for text in (
            bench_files.render_csv(hostile(bench_of())), csv_files.render_results(hostile_study()),
            csv_files.render_samples(hostile_study()), simulation_files.render_csv(simulation_of()),
        ):  # fmt: skip
            self.assert_terminal(text.replace("\r\n", "\n"))

    def test_markdown(self):
        for text in (bench_files.render_markdown(hostile(bench_of())), markdown.render(hostile_study())):
            self.assert_terminal(text)
            outside = re.sub(r"(`+).*?(?<!`)\1(?!`)", "", re.sub(r"\\`", "", text))
            self.assertNotIn("<", outside)
            self.assertNotIn("](", outside)


class Pages(Harmless):
    def assert_page(self, text):
        # The plotting library, which is ours, is the longest of the scripts.
        whole = re.sub(r"<script>.*?</script>", "", text, flags=re.S)
        self.assert_terminal(whole)
        self.assertNotIn("<script>alert", text)
        self.assertNotIn("<b>[red]", text)
        self.assertEqual(text.count("<script"), text.count("</script>"))
        for data in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.S):
            for name, one in strings_of(json.loads(data)):
                self.assert_harmless(one)
                if "packed" not in data:  # what scripts compare, and plotly never sees
                    self.assertNotRegex(one, r"<(?!br>|extra>|/extra>)")
                if name == "hovertemplate":
                    self.assertNotIn(":smile: %{x}", one)

    def found(self, result):
        return Found("/path" + HOSTILE, result)

    def test_study(self):
        self.assert_page(html_page.render(hostile_study()))

    def test_joined(self):
        self.assert_page(joined_page.render([self.found(hostile(bench_of())), self.found(hostile_study())]))

    def test_simulation(self):
        text = simulation_files.render_html(simulation_of())
        self.assert_page(text)
        # What is chosen is what the data is found by.
        (data,) = re.findall(r'id="explorer-data">(.*?)</script>', text, re.S)
        self.assertEqual(json.loads(data)[0]["trace"], visible("trace" + HOSTILE))


def strings_of(value, name=""):
    """(key, text)"""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from strings_of(one, key)
    elif isinstance(value, list):
        for one in value:
            yield from strings_of(one, name)
    elif isinstance(value, str):
        yield name, value


if __name__ == "__main__":
    lab_support.main()
