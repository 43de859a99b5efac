"""docs/statistics.md shows the list of figures, and what it says of single ones is of some that exist."""

import json
import pathlib
import re
import unittest

from support import Lab

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "statistics.md"
FIGURES = re.compile(r"^## Figures$(.*?)^## ", re.MULTILINE | re.DOTALL)
NOT_FIGURES = {"siglongjmp"}


class Documented(Lab):
    def test_figures_that_are_named_exist(self):
        self.run_holder(stats="a.json")
        units = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))["units"]
        section = FIGURES.search(DOCUMENT.read_text(encoding="utf-8"))[1]
        self.assertIn("\n<!-- table: mmt list figures --markdown -->\n", section)
        named = set(re.findall(r"`([a-z_]+)`", section)) - NOT_FIGURES
        self.assertGreater(len(named), 10)
        self.assertLessEqual(named, set(units))


if __name__ == "__main__":
    unittest.main()
