"""Which plotting library pages carry: the small one as it was pinned, else Debian's."""

import pathlib
import tempfile
import unittest
from unittest import mock

import lab_support
from mmt_lab.reporters import plots_library

FILE = "plotly.js-cartesian-dist-min/plotly-cartesian.min.js"


class Library(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        plots_library.source.cache_clear()
        self.addCleanup(plots_library.source.cache_clear)

    def put(self, text):
        path = self.folder / FILE
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def test_it_is_not_there(self):
        self.assertIsNone(plots_library.small([self.folder]))

    def test_another_file_under_its_name_is_passed_over(self):
        self.put("Plotly = null;")
        self.assertIsNone(plots_library.small([self.folder]))

    def test_as_pinned(self):
        self.put("Plotly = {};")
        digest = "8a47620067a912c2e65bef49f7248a32d897db467cbabcd05f71b6a941840f95"
        with mock.patch.object(plots_library, "_SHA256", digest):
            self.assertEqual(plots_library.small([self.folder / "no", self.folder]), "Plotly = {};")

    def test_debians_has_the_trace_types_that_are_used(self):
        with mock.patch.object(plots_library, "small", return_value=None):
            text = plots_library.source()
        for kind in ("bar", "box", "heatmap", "scatter"):
            self.assertRegex(text, rf"""name: ?['"]{kind}['"]""")


if __name__ == "__main__":
    lab_support.main()
