"""What it takes to add a heap, an option, a verb, a check, a job: at most three files each.

On a copy of the tree each is added as its developer would add it. The command is built there, and
must know all of them in its lists, its help, its completions and its manual.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import machine
import unittest_main

MOST_FILES = 3
FOLDERS = ("cmake", "completions", "include", "lab", "man", "src", "tests/cli", "tests/support", "workloads")

VERB = """// `mmt greet`: for a test.
#include <fmt/format.h>

#include "cli/command_line/verb.h"

namespace mmt::cli {

Verb add_greet(CLI::App& root) {
  CLI::App* app = root.add_subcommand("greet", "Say something friendly");
  return {app, [](const programs::Command&) {
            fmt::print("hello\\n");
            return 0;
          }};
}

}  // namespace mmt::cli
"""


VERB_TEST = """from support import Lab, main, mmt


class Greet(Lab):
    def test_it_is_friendly(self):
        self.assertEqual(mmt("greet").out, "hello\\n")


if __name__ == "__main__":
    main()
"""


CHECK = """// For a test: tells who has looked at blocks while the memory thread served.
#pragma once

#include <atomic>

#include <mmt/sys/thread.h>

#include "heap/gates/batch.h"
#include "sys/message.h"
#include "heap/object/heap.h"

namespace mmt::heap {

struct Looks {
  static inline std::atomic<uint64_t> by_it{0};
  static inline std::atomic<uint64_t> by_others{0};
  static inline std::atomic<uint64_t> under_lock{0};
  static inline std::atomic<bool> is_told{false};

  static void see(Heap& heap, const Batch& batch) {
    if (!heap.server_running()) return;
    const uint32_t self = sys::current_thread_id();
    const bool is_it = self == heap.server_thread.load();
    const bool is_held = heap.depot.lock().held_by(self);
    batch.for_each([&](void*) {
      is_it ? ++by_it : ++by_others;
      if (is_held) ++under_lock;
    });
  }
};

[[gnu::destructor]] inline void tell() {
  if (Looks::by_it == 0 || Looks::is_told.exchange(true)) return;
  sys::Message text;
  text.number(Looks::by_it).text(" ").number(Looks::by_others);
  text.text(" ").number(Looks::under_lock).print();
}

}  // namespace mmt::heap
"""


STEP = """// For a test: counts its turns, and tells of them as the process ends.
#pragma once

#include <cstdint>

#include "heap/keeper/keeper_round.h"
#include "sys/message.h"

namespace mmt::heap {

class Turns {
 public:
  explicit Turns(KeeperRound&) {}
  bool run(uint64_t) {
    ++count;
    return false;
  }
  int64_t wait(uint64_t) const { return -1; }

  static inline uint64_t count = 0;
};

[[gnu::destructor]] inline void tell_of_turns() {
  if (Turns::count != 0) sys::Message().text("turns ").number(Turns::count).print();
  Turns::count = 0;
}

}  // namespace mmt::heap
"""


class Copy:
    """A copy of the sources, and which files were touched in it."""

    def __init__(self, folder):
        self.folder = folder
        self.touched = set()
        for name in FOLDERS:
            shutil.copytree(ROOT / name, folder / name)
        for name in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md"):
            shutil.copy(ROOT / name, folder / name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        self.touched.add(name)

    def insert(self, name, before, text):
        old = (self.folder / name).read_text()
        assert old.count(before) == 1, f"{name}: '{before}'"
        self.write(name, old.replace(before, text + before))

    def replace(self, name, old, new):
        text = (self.folder / name).read_text()
        assert text.count(old) == 1, f"{name}: '{old}'"
        self.write(name, text.replace(old, new))

    def build(self):
        """Builds only what the test needs. Its folder is where the command looks for the rest."""
        self.build_folder = self.folder / "build" / "scratch"
        self._run("cmake", "-S", self.folder, "-B", self.build_folder, "-G", "Ninja", "-DMMT_TESTS=OFF",
                  "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0")  # fmt: skip
        self._run("cmake", "--build", self.build_folder, "--target", "mmt_cli", "mmt_manual",
                  "mmt_heap_scratch", "mmt_preload")  # fmt: skip

    def try_mmt(self, *words):
        """(exit status, stdout and stderr)."""
        env = {key: value for key, value in os.environ.items() if not key.startswith("MMT_")}
        command = [str(self.build_folder / "bin" / "mmt"), *words]
        done = subprocess.run(command, capture_output=True, text=True, env=env)
        return done.returncode, done.stdout + done.stderr

    def mmt(self, *words):
        status, text = self.try_mmt(*words)
        assert status == 0, f"mmt {words}: {text}"
        return text

    def _run(self, *words):
        done = subprocess.run([str(one) for one in words], capture_output=True, text=True)
        assert done.returncode == 0, f"{words}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"


def add_heap(copy):
    text = (ROOT / "src/heaps/kingsley.cpp").read_text().replace("kingsley.so", "scratch.so")
    copy.write("src/heaps/scratch.cpp", text)
    copy.insert("src/heaps/CMakeLists.txt", "mmt_heap_library(lea ",
                'mmt_heap_library(scratch "a heap of a test")\n')  # fmt: skip


def add_option(copy):
    copy.insert("src/interprocess/heap_options.h", "  bool quiet = false;", "  bool humble = false;\n")
    copy.insert("src/interprocess/heap_options.cpp", '    {"quiet",',
                '    {"humble", kNative, Kind::kSwitch, "on", "on|off",\n'
                "     field(offsetof(Options, humble), sizeof(Options::humble)),\n"
                '     "An option of a test."},\n')  # fmt: skip


def add_verb(copy):
    copy.write("src/cli/verbs/greet.cpp", VERB)
    copy.insert("src/cli/verbs/all_verbs.cpp", "Verb add_run(", "Verb add_greet(CLI::App& root);\n")
    copy.insert("src/cli/verbs/all_verbs.cpp", "  verbs.push_back(add_run(", "  verbs.push_back(add_greet(root));\n")
    copy.write("tests/cli/greet_test.py", VERB_TEST)


def add_check(copy):
    copy.write("src/heap/gates/looks.h", CHECK)
    list_of_all = "src/heap/gates/inspection.h"
    copy.insert(list_of_all, '#include "heap/gates/inspection_list.h"\n', '#include "heap/gates/looks.h"\n')
    copy.replace(list_of_all, "InspectionList<>", "InspectionList<Looks>")


def add_step(copy):
    copy.write("src/heap/keeper/turns.h", STEP)
    steps = "src/heap/keeper/keeper_steps.h"
    copy.insert(steps, "\nnamespace mmt::heap {\n\n// Collects what came back", '#include "heap/keeper/turns.h"\n')
    copy.replace(steps, "using ServingSteps = WithChecks<Drain, ", "using ServingSteps = WithChecks<Turns, Drain, ")


def add_limit(copy):
    copy.replace("src/heap/store/budget.h", "static bool admits(size_t) { return true; }",
                 "bool admits(size_t bytes) const { return mapped() + bytes <= size_t{512} << 20; }")  # fmt: skip


# Its list in docs/extending.md, and what stands there for its name.
LISTS = {
    add_heap: ("A heap", "scratch"),
    add_option: ("An option of the library", None),
    add_verb: ("A verb", "greet"),
    add_check: ("A check of what is freed", "looks"),
    add_step: ("A job of the memory thread", "turns"),
    add_limit: ("A limit", None),
}


class Additions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="mmt-additions-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.copy = Copy(pathlib.Path(cls.folder.name).resolve())
        cls.files = {}
        for add in LISTS:
            cls.copy.touched = set()
            add(cls.copy)
            cls.files[add] = cls.copy.touched
        cls.copy.build()
        cls.manual = (cls.copy.build_folder / "man" / "mmt.1").read_text()

    def names(self, kind):
        return [item["name"] for item in json.loads(self.copy.mmt("list", kind, "--json"))[kind]]

    def completions(self, *words):
        return self.copy.mmt("complete", "--", *words).splitlines()

    def test_few_files_are_touched(self):
        for add, files in self.files.items():
            self.assertTrue(0 < len(files) <= MOST_FILES, f"{add.__name__}: {files}")

    def test_the_lists_for_engineers_name_these_files(self):
        page = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
        for add, (title, name) in LISTS.items():
            steps = re.findall(r"(?m)^\d\. (.+)$", page.split(f"\n## {title}\n")[1].split("\n## ")[0])
            # The first of a step; others are shown as examples.
            named = {re.search(r"`((?:src|tests)/[\w/.]+)`", step)[1] for step in steps}
            self.assertEqual({path.replace("NAME", name or "NAME") for path in named}, self.files[add])

    def test_the_heap_is_known_everywhere_and_runs(self):
        self.assertIn("scratch", self.names("heaps"))
        self.assertIn("scratch", self.names("backends"))
        self.assertEqual(self.completions("run", "--heap", "scr"), ["scratch"])
        found = json.loads(self.copy.mmt("resolve", "scratch"))["allocators"][0]
        self.assertTrue(found["serves_malloc"].endswith("/libmmt-scratch.so"), found)
        self.copy.mmt("run", "--heap", "scratch", "--", "sh", "-c", "grep -q libmmt-scratch.so /proc/self/maps")

    def test_the_option_is_known_everywhere_and_checked(self):
        self.assertIn("humble", self.names("options"))
        self.assertIn("--humble on|off", self.copy.mmt("run", "--help"))
        self.assertIn("humble", self.manual)
        self.assertEqual(self.completions("run", "--hum"), ["--humble"])
        self.assertEqual(self.completions("run", "--humble", ""), ["on", "off"])
        status, text = self.copy.try_mmt("run", "--humble", "offf", "--", "true")
        self.assertEqual(status, 125)
        self.assertIn("did you mean 'off'?", text)

    def test_the_check_sees_blocks_on_the_memory_thread(self):
        if why := machine.lacks("two-cpus"):
            self.skipTest(why)
        # Less at a time than may be under way, beyond which the program's thread sees to it itself.
        program = (
            "import time\ny = [str(i) for i in range(300000)]\n"
            "for _ in range(100): x = [str(i) for i in range(6000)]; del x; time.sleep(0.005)\n"
        )
        told = self.copy.mmt("run", "--", "env", "PYTHONMALLOC=malloc", "/usr/bin/python3", "-c", program)
        turns = re.search(r"turns (\d+)\n", told)
        by_it, by_others, under_lock = map(int, told.replace(turns[0], "").split())
        self.assertGreater(int(turns[1]), 10)
        self.assertGreater(by_it, 100_000)
        self.assertLess(by_others, by_it / 5)
        self.assertEqual(under_lock, 0)

    def test_beyond_the_limit_there_is_no_memory(self):
        program = "x = bytearray(%d << 20)"
        python = ("run", "--", "env", "PYTHONMALLOC=malloc", "/usr/bin/python3", "-c")
        self.copy.mmt(*python, program % 300)
        status, text = self.copy.try_mmt(*python, program % 600)
        self.assertEqual(status, 1)
        self.assertIn("MemoryError", text)

    def test_the_verb_is_known_everywhere_and_does_its_work(self):
        self.assertEqual(self.copy.mmt("greet"), "hello\n")
        environment = {**os.environ, "MMT_TEST_BINARY": str(self.copy.build_folder / "bin" / "mmt")}
        test = [sys.executable, "-B", str(self.copy.folder / "tests/cli/greet_test.py")]
        done = subprocess.run(test, cwd=self.copy.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("greet", self.copy.mmt("--help"))
        self.assertIn("Say something friendly.", self.copy.mmt("greet", "--help"))
        self.assertIn('.SH "MMT GREET"', self.manual)
        self.assertEqual(self.completions("gr"), ["greet"])


if __name__ == "__main__":
    unittest_main.main()
