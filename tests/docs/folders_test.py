"""docs/ARCHITECTURE.md has a row for each folder that docs/layers.toml puts in order."""

import re
import sys
import tomllib
import unittest

import pages

ROW = re.compile(r"^\| ((?:`\w+`(?:, )?)+) \|", re.MULTILINE)


class Folders(unittest.TestCase):
    def test_each_folder_has_a_row(self):
        table = pages.read(pages.ROOT / "docs/ARCHITECTURE.md").split("## Folders")[1].split("\n## ")[0]
        rows = {name for names in ROW.findall(table) for name in re.findall(r"\w+", names)}
        ordered = tomllib.loads((pages.ROOT / "docs/layers.toml").read_text(encoding="utf-8"))["folders"]
        self.assertEqual(set(ordered) - rows, set())
        self.assertGreater(len(rows), 10)


if __name__ == "__main__":
    sys.exit(unittest.main())
