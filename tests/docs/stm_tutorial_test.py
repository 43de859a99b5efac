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
# The two kinds of programs share no project: one in C has no compiler for C++.
LISTS = {"cpp": """cmake_minimum_required(VERSION 3.25)
project(tutorial CXX)
find_package(mmt 0.1 REQUIRED)
add_compile_options(-Wall -Wextra -Werror)
add_executable(bank bank.cpp)
target_link_libraries(bank PRIVATE mmt::layers)
""", "c": """cmake_minimum_required(VERSION 3.25)
project(tutorial C)
find_package(mmt 0.1 REQUIRED)
add_compile_options(-Wall -Wextra -Werror)
add_executable(counter counter.c)
target_link_libraries(counter PRIVATE mmt::stm)
"""}


class Tutorial(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

        self.prefix = self.folder / "prefix"
        self.run_command("cmake", "--install", BUILD, "--prefix", self.prefix)

    def run_command(self, *words, env=None):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, env=env)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def write_sources(self, suffix):
        folder = self.folder / suffix
        folder.mkdir()
        names = [name for name in SOURCES if name.endswith("." + suffix)]
        self.assertTrue(names)
        for name in names:
            (folder / name).write_text(SOURCES[name], encoding="utf-8")
        return folder, [name.removesuffix("." + suffix) for name in names]

    def find_package(self, suffix):
        folder, programs = self.write_sources(suffix)
        (folder / "CMakeLists.txt").write_text(LISTS[suffix], encoding="utf-8")
        build = folder / "build"
        self.run_command("cmake", "-S", folder, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                         "-DCMAKE_BUILD_TYPE=Release")  # fmt: skip
        self.run_command("cmake", "--build", build)
        for name in programs:
            self.assertEqual(self.run_command(build / name), OUTPUTS[name], name)

    def test_find_package(self):
        self.find_package("cpp")

    def test_find_package_in_c_alone(self):
        self.find_package("c")

    def test_pkg_config_in_c_alone(self):
        folder, programs = self.write_sources("c")
        where = next(self.prefix.rglob("mmt-stm.pc")).parent
        flags = self.run_command("pkg-config", "--cflags", "--libs", "mmt-stm",
                                 env={**os.environ, "PKG_CONFIG_PATH": str(where)}).split()  # fmt: skip
        for name in programs:
            self.run_command(os.environ.get("CC", "cc"), folder / f"{name}.c", "-o", folder / name, *flags)
            self.assertEqual(self.run_command(folder / name), OUTPUTS[name], name)

    def test_every_output_is_of_a_program(self):
        self.assertEqual({name.partition(".")[0] for name in SOURCES}, set(OUTPUTS))


if __name__ == "__main__":
    sys.exit(unittest.main())
