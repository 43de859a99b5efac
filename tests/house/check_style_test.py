"""check_style.py finds what it is for: each test plants one fault in a small tree."""

import unittest

from small_tree import SmallTreeTest


GOOD = {
    "include/mmt/core/compiler.h": "// Says which compiler.\n#pragma once\n#ifdef X\n#endif\n",
    "src/native/page.h": "#pragma once\n\n// A page.\nint a;\n",
    "src/native/page.cpp": '#include <sys/mman.h>\n\n#include "native/page.h"\nint b;\n',
    "src/preload/abi.cpp": "// Forwards.\n#if X\n#endif\n",
    "tools/thing.py": "pass\n",
}


class CheckStyleTest(SmallTreeTest):
    CHECKER = "check_style.py"
    GOOD = GOOD

    def test_the_good_tree_passes(self):
        self.assertIn("5 files, 0 errors", self.expect_good({}))

    def test_header_without_head(self):
        text = "#pragma once\n#include <cstdint>\n// Late.\n"
        self.expect_error({"src/native/page.h": text}, "src/native/page.h:1: no head comment")

    def test_source_without_head_or_own_header(self):
        self.expect_error({"src/native/run.cpp": '#include "native/page.h"\n'}, "no head comment")

    def test_header_without_pragma_once(self):
        self.expect_error({"src/native/page.h": "// A page.\nint a;\n"}, "no #pragma once")

    def test_conditional_in_the_wrong_place(self):
        text = "// A run.\n\n# ifdef NDEBUG\n#endif\n"
        self.expect_error({"src/native/run.cpp": text}, "src/native/run.cpp:3: #if outside")

    def test_too_long(self):
        self.expect_error({"tools/long.py": "pass\n" * 601}, "601 lines; the limit is 600")

    def test_above_the_soft_limit_is_said(self):
        result = self.check({"tools/long.py": "pass\n" * 401})
        self.assertEqual(result.returncode, 0)
        self.assertIn("tools/long.py (401)", result.stdout)

    def test_a_name_that_says_nothing(self):
        self.expect_error({"src/native/page_utils.cpp": "// Tools.\n"}, "a name that says nothing")

    def test_a_long_sentence_in_a_comment(self):
        long = " ".join(["word"] * 26)
        for name, text, line in (
            ("src/native/run.cpp", f"// A run. {long[:60]}\n// {long[60:]}\n", 1),
            ("src/native/run.cpp", f"// A run.\nint a;  // {long}\n", 2),
            ("tools/thing.py", f"pass\n# {long}\n", 2),
            ("tools/thing.py", f'"""{long[:60]}\n{long[60:]}"""\n', 1),
            ("tools/thing.py", f'def f():\n    """A thing.\n\n    {long}\n    """\n', 2),
            ("src/native/run.cpp", f"// A run.\nint a; /* {long[:60]}\n          {long[60:]} */\n", 2),
            ("src/native/run.cpp", f"/* A run.\n *\n * {long[:60]}\n * {long[60:]} */\n", 1),
            ("src/native/CMakeLists.txt", f"# {long}\n", 1),
            ("src/native/run.cpp.in", f"// {long}\n", 1),
            ("cmake/mmt-config.cmake.in", f"# {long}\n", 1),
        ):
            self.expect_error({name: text}, f"{name}:{line}: a sentence of more than 25 words: word")

    def test_what_is_no_sentence_is_not_counted(self):
        words = " ".join(["word"] * 20)
        self.expect_good({"src/native/run.cpp": f"// A run:\n// - {words}\n// - {words}.\n// {words}.\n"})
        self.expect_good({"src/native/run.cpp": f"// A run:\n// name   {words}\n// other  {words}\n//   {words}\n"})

    def test_what_only_looks_like_a_comment_is_not_counted(self):
        words = " ".join(["word"] * 26)
        for text in (f'auto a = "/* {words} */";', f'auto a = R"x(/* {words} */)x";', f"char a = '\"'; // /*\nauto b = \"*/ {words}\";"):
            self.expect_good({"src/native/run.cpp": f"// A run.\n{text}\n"})
        self.expect_good({"tools/thing.py": f'"""A thing.\n\nIts words:\n\n    {words}\n"""\nwords = """{words}"""\n'})

    def test_a_sentence_without_its_subject(self):
        for name, text, problem in (
            ("src/native/run.cpp", "// A run. Of pages.\n", "1: a sentence that begins with Of: Of pages."),
            ("src/native/run.cpp", "// A run.\nint a;  // Of pages.\n", "2: a sentence that begins with Of"),
            ("src/native/run.cpp", "// A run.\n//\n// Who asks\n// gets it.\n", "1: a sentence that begins with Who"),
            ("tools/thing.py", "# Who calls.\n", "1: a sentence that begins with Who"),
            ("src/native/run.cpp", "// A run, by\n// who asks.\n", '1: "by who" does not say what it is'),
            ("src/native/run.cpp", "// A run.\n// For who asks.\n", '1: "For who" does not say what it is'),
        ):
            self.expect_error({name: text}, f"{name}:{problem}")

    def test_a_word_that_only_looks_so(self):
        self.expect_good({"src/native/run.cpp": "// A run. Often one of those who ask, to whom it goes.\n"})

    def test_camel_case_file(self):
        self.expect_error({"src/native/PageMap.cpp": "// A map.\n"}, "file names are snake_case")


if __name__ == "__main__":
    unittest.main()
