"""docs/statistics.md names every figure, with its unit, and no other."""

import json
import pathlib
import re
import unittest

from support import Lab

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "statistics.md"
# A row of the table: "| unit | `figure`, `figure` |".
ROW = re.compile(r"^\| (bytes|count|ns|flag) \| (.*) \|$", re.MULTILINE)


class Documented(Lab):
    def test_every_figure(self):
        self.run_holder(stats="a.json")
        units = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))["units"]
        rows = ROW.findall(DOCUMENT.read_text(encoding="utf-8"))
        named = [(name, unit) for unit, names in rows for name in re.findall(r"[a-z_]+", names)]
        self.assertEqual(sorted(named), sorted(units.items()))


if __name__ == "__main__":
    unittest.main()
