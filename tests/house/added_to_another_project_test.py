"""Another project takes this one in by add_subdirectory or FetchContent and links mmt::layers. The
headers are all that it gets, and no package is asked for but threads."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = """cmake_minimum_required(VERSION 3.25)
project(another CXX)
{added}
add_executable(first first.cpp)
target_link_libraries(first PRIVATE mmt::layers)
"""
SUBDIRECTORY = f'add_subdirectory("{ROOT}" mmt)'
FETCHED = f"""include(FetchContent)
FetchContent_Declare(mmt SOURCE_DIR "{ROOT}")
FetchContent_MakeAvailable(mmt)"""
SOURCE = """#include <cstdio>
#include <mmt/layers/general/kingsley_heap.h>
int main() {
  mmt::layers::KingsleyHeap<> heap;
  void* block = heap.malloc(100);
  std::printf("%d\\n", heap.get_size(block) >= 100);
  heap.free(block);
}
"""
WITHOUT = [
    f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON"
    for package in ("CLI11", "fmt", "GTest", "nlohmann_json", "Python3", "tomlplusplus")
]


class AddedToAnotherProject(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_there(self, *words):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def build(self, added):
        (self.folder / "CMakeLists.txt").write_text(LISTS.format(added=added), encoding="utf-8")
        (self.folder / "first.cpp").write_text(SOURCE, encoding="utf-8")
        self.run_there("cmake", "-S", ".", "-B", "build", "-G", "Ninja", *WITHOUT)
        self.run_there("cmake", "--build", "build")
        self.assertEqual(self.run_there("build/first"), "1\n")
        targets = self.run_there("ninja", "-C", "build", "-t", "targets", "all")
        self.assertIn("first.cpp.o", targets)
        self.assertNotRegex(targets, r"mmt_cli|libmmt|\bproduct\b|headers_alone")
        # What it installs is its own affair.
        self.run_there("cmake", "--install", "build", "--prefix", "prefix")
        self.assertFalse((self.folder / "prefix").exists())

    def test_add_subdirectory(self):
        self.build(SUBDIRECTORY)

    def test_fetch_content(self):
        self.build(FETCHED)


if __name__ == "__main__":
    sys.exit(unittest.main())
