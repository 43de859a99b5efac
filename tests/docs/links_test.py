"""Links between the documents lead somewhere: to a file, and to a heading of it; installed ones too."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import pages

BUILD = pathlib.Path(os.path.abspath(os.environ["MMT_TEST_BINARY"])).parents[1]


def broken(page):
    """Links of a page that lead nowhere."""
    for path, anchor in pages.links(pages.read(page)):
        target = page.parent / path if path else page
        if not target.exists():
            yield f"{path}#{anchor}"
        elif anchor and anchor not in pages.anchors(pages.read(target)):
            yield f"{path}#{anchor} (no such heading)"


class Links(unittest.TestCase):
    def test_of_the_repository(self):
        self.assertGreater(len(pages.PAGES), 30)
        for page in pages.PAGES:
            with self.subTest(page=pages.name_of(page)):
                self.assertEqual(list(broken(page)), [])

    def test_as_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["cmake", "--install", BUILD, "--prefix", folder, "--component", "documents"],
                                  capture_output=True, text=True, check=False)  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stderr)
            documents = pathlib.Path(folder, "share/doc/mmt")
            found = sorted(documents.rglob("*.md"))
            self.assertIn(documents / "README.md", found)
            self.assertIn(documents / "docs/ARCHITECTURE.md", found)
            for page in found:
                with self.subTest(page=str(page.relative_to(documents))):
                    self.assertEqual(list(broken(page)), [])
                    self.assertNotRegex(pages.read(page), r"(?m)^<!-- table:", "tables are filled in")
            self.assertIn("| of the best peer (greater of two) |", pages.read(documents / "docs/figures/README.md"))

    def test_a_table_that_is_not_kept_has_its_command_beside(self):
        for page in pages.PAGES:
            for before, command in re.findall(r"(?m)^(.*)\n\n<!-- table: (.+) -->$", pages.read(page)):
                with self.subTest(page=pages.name_of(page), command=command):
                    self.assertIn(command.removesuffix(" --markdown"), before)


class Reader(unittest.TestCase):
    def test_what_is_broken_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text("# One `two`\n\n[a](page.md#one-two) [b](#three) [c](other.md) [d](https://x/y.md)\n")
            self.assertEqual(list(broken(page)), ["#three (no such heading)", "other.md#"])


if __name__ == "__main__":
    sys.exit(unittest.main())
