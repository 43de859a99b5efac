"""The programs of docs/stm.md, built from an installed package as a user would, print what the page
says."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.path.abspath(os.environ["MMT_TEST_BINARY"])).parents[1]
PAGE = (ROOT / "docs" / "stm.md").read_text(encoding="utf-8")
SOURCES = dict(re.findall(r"```c(?:pp)? file=(\S+)\n(.*?)```", PAGE, re.DOTALL))
OUTPUTS = dict(re.findall(r"```output of=(\S+)\n(.*?)```", PAGE, re.DOTALL))
LISTS = """cmake_minimum_required(VERSION 3.25)
project(tutorial C CXX)
find_package(mmt 0.1 REQUIRED)
add_compile_options(-Wall -Wextra -Werror)
add_executable(bank bank.cpp)
target_link_libraries(bank PRIVATE mmt::layers)
add_executable(counter counter.c)
target_link_libraries(counter PRIVATE mmt::stm)
"""


class Tutorial(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_command(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_find_package(self):
        prefix, build = self.folder / "prefix", self.folder / "build"
        self.run_command("cmake", "--install", BUILD, "--prefix", prefix)
        for name, text in SOURCES.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        (self.folder / "CMakeLists.txt").write_text(LISTS, encoding="utf-8")
        self.run_command("cmake", "-S", self.folder, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
                         "-DCMAKE_BUILD_TYPE=Release")  # fmt: skip
        self.run_command("cmake", "--build", build)
        self.assertEqual(len(OUTPUTS), len(SOURCES))
        for name, text in OUTPUTS.items():
            self.assertEqual(self.run_command(build / name), text, name)


if __name__ == "__main__":
    sys.exit(unittest.main())
