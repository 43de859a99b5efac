"""What keeps the heap's core in order: one object, handed in at the doors; a lock that is a value; one way to park.
And the heap of layers: one way to pages."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A variable for all: at the left margin, or static. A heap, or what points to one.
_HEAP = r"(?:std::atomic<\s*)?(?:heap::)?Heap\s*(?:\*\s*const\b|[*&])?\s*>?\s*"
GLOBAL = re.compile(
    rf"(?m)^(?:(?:(?:static|extern|constinit|inline|const|thread_local|__thread|\[\[[^\]]*\]\]) )*|\s+static (?:constinit )?)"
    rf"{_HEAP}\w+(?:\[\w*\])?\s*(?:;|=|\{{)"
)
HOME = {"src/heap/process/process_heap.h", "src/heap/process/process_heap.cpp"}
DOORS = HOME | {
    "src/preload/doors.h", "src/preload/process_heap.h", "src/preload/whole_heap.h", "src/harden/served_heap.h",
}  # fmt: skip


def sources(*folders, tests=False):
    """(path, code without comments and strings) of what is shipped, and of tests beside it."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp") and (tests or not path.stem.endswith("_test")):
                text = path.read_text(encoding="utf-8")
                yield str(path.relative_to(ROOT)), re.sub(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"', "", text)


def naming(word, *folders):
    """The files whose code has the word, which is a pattern."""
    return {path for path, code in sources(*folders) if re.search(rf"\b{word}\b", code)}


class Core(unittest.TestCase):
    def test_the_processs_heap_is_named_at_the_doors_alone(self):
        self.assertEqual(naming("process_heap", "src", "include"), DOORS)

    def test_there_is_no_other_heap_for_all(self):
        self.assertEqual({path for path, code in sources("src") if GLOBAL.search(code)}, HOME)

    def test_a_heap_for_all_is_found_in_whatever_form(self):
        for line in (
            "extern Heap heap;", "static heap::Heap heap;", "constinit Heap heap{};", "Heap heap{};", "Heap heap;",
            "static Heap* heap;", "constinit Heap* heap = nullptr;", "std::atomic<Heap*> heap{nullptr};",
            "inline std::atomic<heap::Heap*> heap;", "__thread Heap* heap;", "  static Heap* heap = nullptr;",
            "heap::Heap* const heap = find();", "constinit static Heap& heap = first;", "Heap heaps[2];",
        ):
            self.assertTrue(GLOBAL.search(f"namespace {{\n{line}\n}}"), line)
        for line in (
            "void use(Heap& heap);", "Heap* find();", "static Heap& find(int which) {", "  Heap& heap_;",
            "  Heap& heap = *client.heap;", "  Heap* heap;  ", "struct Heap {", "Heap* Class::find() {",
            "inline Heap& of(Client& client) { return *client.heap; }", "static void* find(Heap& heap) {",
        ):
            self.assertFalse(GLOBAL.search(f"\n{line}\n"), line)

    def test_the_lock_is_a_value_and_no_name(self):
        self.assertEqual(naming(r"\w+_locked", "src", "include"), set())

    def test_threads_park_in_one_way(self):
        outside = {path for path in naming("begin_park|commit_park|cancel_park", "src", "include") if "/sync/" not in path}
        self.assertEqual(outside, set())

    def test_layers_reach_pages_by_a_policy(self):
        calls = r"::(?:mmap|munmap|mremap|madvise|mprotect)\b"
        found = {path for path, code in sources("include/mmt/layers") if re.search(calls, code)}
        self.assertEqual(found, {"include/mmt/layers/source/system_pages.h"})

    def test_tests_make_heaps_of_their_own(self):
        placed = {path for path, code in sources("src", "tests", "fuzz", tests=True) if re.search(r"new \(&(?:heap::)?\w*heap\)", code)}
        self.assertEqual(placed, set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
