"""Other people's allocators: the registry has their names, files and packages; who names them again agrees."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab"))

from mmt_lab.measuring import contenders  # noqa: E402
from mmt_lab.peers.pins import PINS  # noqa: E402

ROW = re.compile(r'^    \{"([\w-]+)", "([\w.-]*)", \{(.+)\}\},$', re.MULTILINE)
FILE = re.compile(r"\blib[\w-]+\.so(?:\.\d+)*")
OF_MMT = ("mmt", "glibc")


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def registry():
    """{name: (package, {file})}"""
    rows = ROW.findall(text_of("src/cli/registry/allocators.cpp"))
    return {name: (package, set(FILE.findall(files))) for name, package, files in rows}


class Peers(unittest.TestCase):
    def setUp(self):
        self.known = registry()
        self.files = {file for _, files in self.known.values() for file in files}
        self.assertGreater(len(self.known), 5)

    def test_those_of_the_laboratory(self):
        for name in contenders.USUAL + contenders.TODAY:
            self.assertTrue(name in OF_MMT or name in self.known, name)
        for pin in PINS:
            self.assertIn(pin.library, self.known[pin.name][1])

    def test_files_that_studies_and_tests_load(self):
        places = ("tests/preload_tests.cmake", *(f"lab/mmt_lab/studies/{one}/allocators.py" for one in ("mmt", "stm")))
        for place in places:
            found = {file for file in FILE.findall(text_of(place)) if "mmt" not in file}
            self.assertGreater(len(found), 1, place)
            self.assertLessEqual(found, self.files, place)

    def test_the_demonstration_installs_those_that_bench_takes(self):
        packages = {package for package, _ in self.known.values() if package}
        installed = packages & set(text_of("packages/demo.txt").split())
        self.assertEqual(installed, {self.known[name][0] for name in contenders.USUAL if name not in OF_MMT})


if __name__ == "__main__":
    unittest.main()
