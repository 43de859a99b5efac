"""The programs of docs/layers.md, built from an installed package as a user would, print what the
page says. A wrong composition gives the message that it shows."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.path.abspath(os.environ["MMT_TEST_BINARY"])).parents[1]
PAGE = (ROOT / "docs" / "layers.md").read_text(encoding="utf-8")
SOURCES = dict(re.findall(r"```cpp file=(\S+)\n(.*?)```", PAGE, re.DOTALL))
OUTPUTS = dict(re.findall(r"```output of=(\S+)\n(.*?)```", PAGE, re.DOTALL))
LISTS = """cmake_minimum_required(VERSION 3.25)
project(tutorial CXX)
find_package(mmt 0.1 REQUIRED)
add_executable({name} {name}.cpp)
target_link_libraries({name} PRIVATE mmt::layers)
"""


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


class Tutorial(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.prefix = self.folder / "prefix"
        self.succeed(run("cmake", "--install", BUILD, "--prefix", self.prefix))
        for name, text in SOURCES.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    def succeed(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_find_package(self):
        (self.folder / "CMakeLists.txt").write_text(LISTS.format(name="first"), encoding="utf-8")
        self.succeed(run("cmake", "-S", self.folder, "-B", self.folder / "build",
                         f"-DCMAKE_PREFIX_PATH={self.prefix}"))  # fmt: skip
        self.succeed(run("cmake", "--build", self.folder / "build"))
        self.assertEqual(self.succeed(run(self.folder / "build" / "first")), OUTPUTS["first"])

    def test_pkg_config(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.prefix / "lib" / "pkgconfig")}
        flags = self.succeed(run("pkg-config", "--cflags", "--libs", "mmt", env=environment)).split()
        self.assertIn(f"-I{self.prefix}", flags[0])
        for name, text in OUTPUTS.items():
            program = self.folder / name
            self.succeed(run("c++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror",
                             self.folder / f"{name}.cpp", *flags, "-o", program))  # fmt: skip
            self.assertEqual(self.succeed(run(program)), text, name)

    def test_a_wrong_composition_is_named(self):
        wrong = re.sub(r"\n +Size,[^\n]*", "", SOURCES["first.cpp"])
        self.assertNotEqual(wrong, SOURCES["first.cpp"])
        (self.folder / "wrong.cpp").write_text(wrong, encoding="utf-8")
        done = run("c++", "-std=c++20", "-fsyntax-only", f"-I{self.prefix}/include", self.folder / "wrong.cpp")
        self.assertNotEqual(done.returncode, 0)
        message = re.search(r"```\n(StrictSegHeap: .*)\n```", PAGE).group(1)
        self.assertIn(message, done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
