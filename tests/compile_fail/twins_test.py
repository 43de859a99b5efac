"""twins.py finds what it is for: a twin that compiles, one that says something else, none at all."""

import pathlib
import sys
import tempfile
import unittest

import twins

COMPILER = sys.argv.pop(1).split() if len(sys.argv) > 1 else ["c++"]
GOOD = """\
#if WRONG == 1  // @error SomeHeap: too \\(small\\)
static_assert(sizeof(int) > 100, "SomeHeap: too (small)");
#else
int right;
#endif
"""


class TwinsTest(unittest.TestCase):
    def problems_of(self, text, header=""):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "some_heap.cpp").write_text(text, encoding="utf-8")
            (root / "include").mkdir()
            (root / "include/other_heap.h").write_text(header, encoding="utf-8")
            return twins.check(COMPILER, [root / "some_heap.cpp"], root / "include")

    def test_a_good_twin_passes(self):
        self.assertEqual(self.problems_of(GOOD), (2, []))

    def expect_problem(self, text, says, header=""):
        _, problems = self.problems_of(text, header)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(says, problems[0])

    def test_a_wrong_one_that_compiles(self):
        self.expect_problem(GOOD.replace("> 100", "> 1"), "compiles, but should say: SomeHeap")

    def test_another_message(self):
        self.expect_problem(GOOD.replace('"SomeHeap', '"OtherHeap'), "but says first")

    def test_another_error_before_the_message(self):
        text = GOOD.replace("static_assert", "missing x;\nstatic_assert", 1)
        self.expect_problem(text, "but says first")

    def test_a_right_one_that_does_not_compile(self):
        self.expect_problem(GOOD.replace("int right;", "missing right;"), "the right one does not")

    def test_no_directive(self):
        self.expect_problem("int right;\n", "a WRONG without @error, or none")
        self.expect_problem(GOOD.replace("@error", "error"), "a WRONG without @error, or none")

    def test_a_layer_without_twin(self):
        header = 'static_assert(kGood,\n              "OtherHeap: what is "\n              "missing");\n'
        self.expect_problem(GOOD, "OtherHeap (other_heap.h) has assertions", header)
        self.assertEqual(self.problems_of(GOOD, header.replace("Other", "Some"))[1], [])
        self.assertEqual(self.problems_of(GOOD, "// " + header.replace("\n", " "))[1], [])


if __name__ == "__main__":
    unittest.main()
