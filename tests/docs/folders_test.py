"""docs/ARCHITECTURE.md has a row for each folder that docs/folders.toml puts in order, and their floors."""

import contextlib
import io
import re
import sys
import tomllib
import unittest

import pages

sys.path.insert(0, str(pages.ROOT / "tools"))
import folder_floors  # noqa: E402

ROW = re.compile(r"^\| ((?:`\w+`(?:, )?)+) \|", re.MULTILINE)


class Folders(unittest.TestCase):
    def test_each_folder_has_a_row(self):
        table = pages.read(pages.ROOT / "docs/ARCHITECTURE.md").split("## Folders")[1].split("\n## ")[0]
        rows = {name for names in ROW.findall(table) for name in re.findall(r"\w+", names)}
        ordered = tomllib.loads((pages.ROOT / "docs/folders.toml").read_text(encoding="utf-8"))["folders"]
        self.assertEqual(set(ordered) - rows, set())
        self.assertGreater(len(rows), 10)

    def test_the_floors_are_those_of_the_tool(self):
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            folder_floors.main()
        self.assertIn(f"\n\n{told.getvalue()}\n", pages.read(pages.ROOT / "docs/ARCHITECTURE.md"))

    def test_floors_lie_above_what_they_include(self):
        law = tomllib.loads((pages.ROOT / "docs/folders.toml").read_text(encoding="utf-8"))
        above = {name: table.get("above", []) for name, table in law["folders"].items()}
        found = folder_floors.floors(above)
        at = {name: number for number, names in enumerate(found) for name in names}
        self.assertEqual(set(at), set(above))
        for name, names in above.items():
            self.assertTrue(all(at[one] < at[name] for one in names), name)
        self.assertEqual(folder_floors.floors({"a": [], "b": ["a"], "c": ["a"], "d": ["a", "c"]}), [["a"], ["b", "c"], ["d"]])
        self.assertIn("process > keeper", "\n".join(folder_floors.rows(law)))


if __name__ == "__main__":
    sys.exit(unittest.main())
