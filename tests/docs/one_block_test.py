"""docs/one_block.md: each function stands in the file that the page names beside it."""

import re
import sys
import unittest

import pages

ROW = re.compile(r"^\| `(\w+)` \| `([\w/.]+)` \|", re.MULTILINE)


def is_in(function, text):
    """True where the text declares or defines the function, or forwards to it under this name."""
    return re.search(rf"^(?!\s*return\b)[^/\n=]*\b[\w:*&>]+[\s*&]+(?:\w+::)?{function}\(", text, re.MULTILINE) is not None


class OneBlock(unittest.TestCase):
    def test_each_function_is_where_the_page_says(self):
        rows = ROW.findall(pages.read(pages.ROOT / "docs/one_block.md"))
        self.assertGreater(len(rows), 30)
        for function, file in rows:
            with self.subTest(function=function, file=file):
                self.assertTrue(is_in(function, (pages.ROOT / file).read_text(encoding="utf-8")))

    def test_what_is_gone_is_missed(self):
        text = "// void lost(int)\nvoid Server::drain(Client& client) {\n  return found(1);\n"
        self.assertTrue(is_in("drain", text))
        self.assertFalse(is_in("lost", text))
        self.assertFalse(is_in("found", text))


if __name__ == "__main__":
    sys.exit(unittest.main())
