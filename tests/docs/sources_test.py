"""Sources that the documents name in backticks exist: `heap/store/depot.h` is a file whose path ends so."""

import re
import subprocess
import sys
import unittest

import pages

NAME = re.compile(r"`([\w./-]+\.(?:h|cpp|py|sh|cmake|toml))`")
PLACEHOLDER = re.compile(r"[A-Z]{3,}|(?:^|/)x(?:_test)?\.")
OF_USERS = {"mmt.toml", "./mmt.toml", "~/.config/mmt/mmt.toml", "/etc/mmt.toml"}


def files():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=pages.ROOT,
                            capture_output=True, text=True, check=True)  # fmt: skip
    return [f"/{line}" for line in listed.stdout.splitlines()]


def named(text):
    """Paths of sources that a text names, without patterns such as `src/FOLDER/x.cpp`, and without what a
    reader writes by the text's own blocks of code."""
    blocks = "".join(pages.FENCE.findall(text))
    names = NAME.findall(pages.COMMENT.sub("", pages.FENCE.sub("", text)))
    return [name for name in names if not (name in OF_USERS or PLACEHOLDER.search(name) or name in blocks)]


class Sources(unittest.TestCase):
    def test_each_named_source_exists(self):
        paths = files()
        total = 0
        for page in pages.PAGES:
            for name in named(pages.read(page)):
                total += 1
                with self.subTest(page=pages.name_of(page), source=name):
                    self.assertTrue(any(path.endswith(f"/{name}") for path in paths))
        self.assertGreater(total, 100)

    def test_what_counts_as_a_name(self):
        self.assertEqual(named("`a/b.h` `run(e.py)` `src/FOLDER/c.cpp` `x_test.cpp` `mmt.toml` `d.py`\n```\nrun d.py\n```\n"), ["a/b.h"])


if __name__ == "__main__":
    sys.exit(unittest.main())
