"""The pages of `mmt report` and `mmt study` in a browser: every plot is drawn, nothing complains."""

import pathlib

import browser_support
import lab_support
import page_support
import report_support

SCRIPTS_END = "</body></html>"


class Browser(report_support.Reports):
    def setUp(self):
        super().setUp()
        # Two programs, so that there are geometric means and more than one group of bars.
        self.make_bench("bench.json", self.reporting, self.program("idle", "exit 0"))
        self.make_study("study")

    def assert_drawn(self, path):
        """As many bars as the page has numbers for; the number of plots."""
        page = page_support.Page(path.read_text(encoding="utf-8"))
        opened = browser_support.Opened(path)
        self.assertEqual(opened.console, [])
        wanted = [
            sorted(sum(1 for value in trace["y"] if value) for trace in chart["data"])
            for chart in page.charts
        ]
        self.assertEqual([sorted(plot) for plot in opened.plots], wanted)
        self.assertGreater(min(map(sum, opened.plots)), 0)
        return len(opened.plots)

    def broken(self, old, new):
        """The study's page with something in another's place."""
        text = (self.folder / "study" / "report.html").read_text(encoding="utf-8")
        self.assertTrue(old in text, old)  # the page is too long for a message
        path = pathlib.Path(self.folder / "broken.html")
        path.write_text(text.replace(old, new), encoding="utf-8")
        return browser_support.Opened(path)

    def test_a_bench_and_a_study_joined(self):
        self.page("bench.json", "study")
        self.assertEqual(self.assert_drawn(self.folder / "report.html"), 2 + 2 + 2 + 1)

    def test_a_study(self):
        self.assertEqual(self.assert_drawn(self.folder / "study" / "report.html"), 1)

    def test_a_study_with_panels_and_gaps(self):
        """Some of the programs and allocators are missing."""
        for name in ("cfrac", "espresso", "lindsay"):
            self.program(name, "exit 0")
        for name in ("lea", "kingsley"):
            self.library(f"libmmt-{name}.so")
        result = self.study(
            "heap-layers", "--only", "figure-6", "--rounds", 1, "--output", "panels", "--quiet"
        )
        self.assertEqual((result[0], result[2]), (1, ""), result)
        self.assertEqual(self.assert_drawn(self.folder / "panels" / "report.html"), 2)

    def test_an_error_of_a_script_is_detected(self):
        error = '<script>throw new Error("deliberate")</script>'
        opened = self.broken(SCRIPTS_END, error + SCRIPTS_END)
        self.assertEqual(len(opened.console), 1, opened.console)
        self.assertIn("Uncaught Error: deliberate", opened.console[0])

    def test_a_plot_that_is_not_drawn_is_detected(self):
        opened = self.broken("Plotly.newPlot(element, withInk(chart.data),", "Plotly.newPlot(element, [],")
        self.assertEqual(opened.plots, [[]])
        self.assertEqual(opened.console, [])

    def test_something_loaded_is_detected(self):
        script = '<script src="http://mmt.invalid/x.js"></script>'
        opened = self.broken(SCRIPTS_END, script + SCRIPTS_END)
        self.assertEqual(len(opened.console), 1, opened.console)


if __name__ == "__main__":
    lab_support.main()
