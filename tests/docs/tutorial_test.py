"""docs/tutorial.md: its program compiles, its commands work in order and print what is shown."""

import pathlib
import re
import tempfile
import unittest

from console import ROOT, Pages, commands

TUTORIAL = "docs/tutorial.md"
SOURCE = re.compile(r"```cpp file=(\S+)\n(.*?)```", re.DOTALL)


class Tutorial(unittest.TestCase, Pages):
    def test_step_by_step(self):
        text = (ROOT / TUTORIAL).read_text(encoding="utf-8")
        self.assertGreaterEqual(len(commands(text)), 7, "the tutorial has lost its commands")
        with tempfile.TemporaryDirectory() as folder:
            for name, source in SOURCE.findall(text):
                pathlib.Path(folder, name).write_text(source, encoding="utf-8")
            self.check_page(TUTORIAL, folder)


if __name__ == "__main__":
    unittest.main()
