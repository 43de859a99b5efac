"""`mmt report` from outside: what it finds, what its page says."""

import json
import re
import shutil

import lab_support
import report_support
from mmt_lab.reporters import plots_library


class Joined(report_support.Reports):
    def test_a_bench_and_a_study_on_one_page(self):
        printed = self.make_bench("bench.json", self.reporting, self.program("idle", "exit 0"))
        self.make_study("study-1")
        page = self.page("bench.json", "study-1")
        text = page.words()
        for words in (
            "MMT: 2 results", "mmt bench: tiny", "mmt study heap-layers: Allocators composed",
            "Whole runs", "Geometric means", "Latency of calls", "252 ns", "250 ms", "5,000 1/s",
            "paper 1.600", "All results come from one machine and one commit",
            "bench --suite", "--seed 1", "mmt study heap-layers --only figure-1 --rounds 2",
            str(self.reporting), str(self.allocator), "study-1/report.json",
        ):  # fmt: skip
            self.assertIn(words, text)
        # Numbers are those of the terminal.
        walls = re.findall(r"^  (?:glibc \S+|another) +(\S+ (?:us|ms|s))", printed, re.M)
        self.assertEqual(len(walls), 4)
        for wall in walls:
            self.assertIn(f" {wall} ", text)
        # Whole runs, the samples of two programs, what was reported, the study's figure.
        self.assertEqual(len(page.charts), 2 + 2 + 2 + 1)
        self.assertEqual([len(one["y"]) for one in page.charts[2]["data"]], [3, 3])
        self.assertEqual([one["name"] for one in page.charts[0]["data"]], ["glibc", "another"])
        self.assertEqual(page.charts[0]["data"][0]["y"], [1.0, 1.0])

    def test_the_answer_first_and_the_machine_last(self):
        self.make_bench("bench.json", self.reporting)
        page = self.page("bench.json")
        text = page.words()
        places = [
            text.index(one)
            for one in ("of the time of glibc, in 3 runs each", "Contents", "Whole runs", "kernel")
        ]
        self.assertEqual(places, sorted(places))
        self.assertGreater(text.rindex("Where they come from"), text.index("How it was measured"))
        styles = "".join(page.styles)
        self.assertIn("prefers-color-scheme: dark", styles)
        self.assertIn("@media print", styles)
        self.assertNotRegex(text, r"\d \w* ?to \d", "no interval of three runs")

    def test_latency_as_curves_on_an_axis_that_shows_all(self):
        metrics = {
            f"malloc_call_{name}": {"unit": "ns", "median": value, "low": value, "high": value,
                                    "samples": [{"round": 0, "value": value}]}
            for name, value in (("p50", 20.0), ("p99", 500.0), ("p9999", 90000.0))
        }  # fmt: skip
        self.make_bench("bench.json", self.reporting)
        data = json.loads((self.folder / "bench.json").read_text())
        data["programs"][0]["cells"][0]["metrics"] |= metrics
        (self.folder / "bench.json").write_text(json.dumps(data))
        (curve,) = (one for one in self.page("bench.json").charts if one["data"][0]["type"] == "scatter")
        self.assertEqual(curve["data"][0]["y"], [20.0, 500.0, 90000.0])
        self.assertEqual(curve["layout"]["yaxis"]["type"], "log")
        for axis in ("xaxis", "yaxis"):
            self.assertTrue(curve["layout"][axis]["title"]["text"])

    def test_a_page_is_small(self):
        if plots_library.small() is None:
            self.skipTest("the small library of plots is not installed (tools/install_npm.sh)")
        self.make_bench("bench.json", self.reporting)
        self.page("bench.json")
        self.assertLess((self.folder / "report.html").stat().st_size, 1_500_000)

    def test_links_lead_to_anchors_of_their_own(self):
        self.make_bench("bench.json", self.reporting)
        self.make_study("study-1")
        shutil.copytree(self.folder / "study-1", self.folder / "study-2")
        page = self.page("bench.json", "study-1", "study-2")
        self.assertEqual(len(page.anchors), len(set(page.anchors)))
        self.assertLessEqual(set(page.links), set(page.anchors))
        for anchor in ("result-1-runs", "result-2-figure-1", "result-3-figure-1"):
            self.assertIn(anchor, page.links)

    def test_the_page_needs_nothing_else(self):
        self.make_bench("bench.json", self.reporting)
        page = self.page("bench.json")
        self.assertEqual(page.loads, [])
        self.assertIsNone(re.search(r"@import|url\(", "".join(page.styles)))
        self.assertIn("MMT: 1 result", page.text)

    def test_names_are_no_markup(self):
        program = self.program("<script>alert(1)<!--", "exit 0")
        self.make_bench("bench.json", program)
        page = self.page("bench.json")
        # plotly reads markup, too.
        self.assertEqual(page.charts[0]["data"][0]["x"], ["tiny/&lt;script&gt;alert(1)&lt;!--"])
        self.assertIn("tiny/<script>alert(1)<!--", page.text)

    def test_failed_pairs_and_what_was_left_out(self):
        failing = self.program("failing", "echo wrong answer >&2; exit 3")
        status, _, _ = self.mmt("bench", "-q", "--json", "b.json", "--runs", 1, "--allocators",
                                "glibc", "--", failing)  # fmt: skip
        self.assertEqual(status, 1)
        self.change("b.json", missing_allocators=[{"name": "jemalloc", "remedy": "apt-get it"}])
        page = self.page("b.json")
        self.assertIn("FAILED", page.text)
        self.assertIn("failed: failing with glibc: exit status 3", page.words())
        self.assertIn("allocator left out: jemalloc (apt-get it)", page.text)
        self.assertEqual(page.charts, [])

    def test_without_glibc_the_plots_are_in_units(self):
        self.make_bench("bench.json", self.reporting)
        data = json.loads((self.folder / "bench.json").read_text())
        for cell in data["programs"][0]["cells"]:
            for metric in cell["metrics"].values():
                metric.pop("to_glibc", None)
        self.change("bench.json", programs=data["programs"])
        wall = self.page("bench.json").charts[0]
        self.assertEqual(wall["layout"]["yaxis"]["title"]["text"], "time (s)")
        median = data["programs"][0]["cells"][0]["metrics"]["wall"]["median"]
        self.assertEqual(wall["data"][0]["y"], [median])


class Origins(report_support.Reports):
    def test_one_study_on_two_machines(self):
        self.make_study("here")
        shutil.copytree(self.folder / "here", self.folder / "there")
        self.change(
            "there/report.json", machine={"cpu": "Another CPU", "thp": "never", "commit": "0" * 40}
        )
        text = self.page("here", "there").words()
        self.assertIn("come from different machines: they differ in cpu.", text)
        self.assertIn("set up differently: thp differs.", text)
        self.assertIn(f"of different commits: {self.report('here')['machine']['commit']}", text)
        self.assertIn("0" * 40, text)
        self.assertIn("Another CPU", text)
        self.assertNotIn("one machine and one commit", text)

    def test_a_bench_and_a_study_of_other_machines(self):
        self.make_bench("bench.json", self.reporting)
        self.make_study("study")
        self.change("bench.json", machine={"memory": "7.00 GiB", "cpus": "4 usable"})
        text = self.page("bench.json", "study").words()
        self.assertIn("come from different machines: they differ in cpus and memory.", text)

    def test_a_result_without_its_commit(self):
        self.make_bench("bench.json", self.reporting)
        data = json.loads((self.folder / "bench.json").read_text())
        del data["machine"]["commit"]
        (self.folder / "other.json").write_text(json.dumps(data))
        text = self.page("bench.json", "other.json").words()
        self.assertIn("Result 2 does not say of which commit.", text)


class Searched(report_support.Reports):
    def test_a_folder_with_both(self):
        (self.folder / "all" / "deep").mkdir(parents=True)
        self.make_bench("all/bench.json", self.reporting)
        self.make_study("all/study")
        self.make_study("all/deep/study")  # not looked at
        (self.folder / "all" / "package.json").write_text('{"kind": "something else"}')
        self.assertIn("MMT: 2 results", self.page("all").text)
        self.assertIn("MMT: 3 results", self.page("all", "all/deep", "all/bench.json").text)

    def test_same_arguments_same_page_and_an_old_one_is_replaced(self):
        self.make_bench("bench.json", self.reporting)
        self.page("bench.json")
        first = (self.folder / "report.html").read_bytes()
        (self.folder / "report.html").write_text("old")
        result = self.mmt("report", "bench.json")
        self.assertEqual(result[1], f"report of 1 result: {self.folder}/report.html\n")
        self.assertEqual((self.folder / "report.html").read_bytes(), first)

    def test_the_page_on_standard_output(self):
        self.make_bench("bench.json", self.reporting)
        status, out, err = self.mmt("report", "bench.json", "--output", "/dev/stdout")
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.startswith("<!DOCTYPE html>") and out.endswith("</html>\n"))


if __name__ == "__main__":
    lab_support.main()
