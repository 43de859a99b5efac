"""check_folders.py finds what it is for: each test plants one violation in a small tree."""

import unittest

from small_tree import SmallTreeTest, run_checker


LAW = """
[folders.core]
above = []
system = ["pthread.h", "sys/"]
[folders.sync]
above = ["core"]
[folders.native]
above = ["sync"]
[folders.report]
above = ["core"]
also = ["native/page.h"]
[trees.workloads]
above = ["core"]
[trees.tests]
any = true
"""

GOOD = {
    "docs/folders.toml": LAW,
    "include/mmt/core/bits.h": "#pragma once\n#include <cstdint>\n",
    "include/mmt/sync/ring.h": "#pragma once\n#include <mmt/core/bits.h>\n",
    "src/native/page.h": "#pragma once\n#include <mmt/sync/ring.h>\n",
    "src/native/page.cpp": '#include "native/page.h"\n#include <sys/mman.h>\n',
    "src/native/page_test.cpp": '#include "support/double.h"\n#include "native/page.h"\n',
    "src/report/page.cpp": '#include "native/page.h"\n',
    "workloads/tree.cpp": '#include "common/flags.h"\n#include <mmt/core/bits.h>\n',
    "workloads/common/flags.h": "#pragma once\n",
    "tests/support/double.h": '#pragma once\n#include "native/page.h"\n',
}


class CheckLayersTest(SmallTreeTest):
    CHECKER = "check_folders.py"
    GOOD = GOOD

    def test_the_good_tree_passes(self):
        self.assertIn("9 files, 0 errors", self.expect_good({}))

    def test_the_project_passes(self):
        result = run_checker("check_folders.py")
        self.assertEqual(result.returncode, 0, result.stderr)

    def rooms(self, **changes):
        law = LAW + '[rooms.report]\nlow = []\nmiddle = ["low"]\nhigh = ["middle"]\n'
        named = {f"src/report/{path.replace('__', '/')}.h": text for path, text in changes.items()}
        return {"docs/folders.toml": law, "src/report/page.cpp": "", **named}

    def test_rooms_of_a_folder(self):
        head = "#pragma once\n"
        low = {"low__a": head}
        page = "src/report/page.cpp: in no room of docs/folders.toml"
        self.expect_error(self.rooms(**low, high__b=f'{head}#include "report/low/a.h"\n'), page)
        moved = self.rooms(**low, high__b=head, low__c=f'{head}#include "report/high/b.h"\n')
        result = self.check(moved)
        wrong = 'src/report/low/c.h:2: "report/high/b.h": report/low must not include report/high'
        self.assertIn(wrong, result.stderr)
        moved["src/report/low/c_test.cpp"] = '#include "report/high/b.h"\n'
        self.assertNotIn("c_test", self.check(moved).stderr)
        broken = {"docs/folders.toml": LAW + '[rooms.report]\nlow = ["cellar"]\n'}
        self.assertIn("'low' is above 'cellar', which is not listed", self.check(broken).stderr)

    def test_namespace_of_another_folder(self):
        listed = LAW.replace("[folders.report]", '[folders.report]\nnamespaces = ["sync"]')
        law = {"docs/folders.toml": listed}
        opened = [
            "namespace mmt::report {\n}",
            "namespace mmt::report::page {\n}",
            "namespace mmt::sync {\n}",
            "namespace {\n}",
            "namespace core = mmt::core;\n",
        ]
        self.expect_good({**law, "src/report/page.cpp": "\n".join(opened)})
        wrong = "src/report/page.cpp:2: report must not open namespace "
        for name in ("mmt::core", "mmt::reports", "mmt"):
            self.expect_error({**law, "src/report/page.cpp": f"\nnamespace {name} {{\n}}\n"}, wrong + name)
        self.expect_good({"tests/support/double.h": "#pragma once\nnamespace mmt::core {\n}\n"})

    def test_upward_include_of_a_public_header(self):
        self.expect_error(
            {
                "include/mmt/core/bits.h": "#pragma once\n\n#include <mmt/sync/ring.h>\n",
                "include/mmt/sync/ring.h": "#pragma once\n",
            },
            "include/mmt/core/bits.h:3: <mmt/sync/ring.h>: core must not include sync",
        )

    def test_upward_include_of_an_internal_header(self):
        self.expect_error(
            {"src/sync/ring.cpp": '# include "native/page.h"\n'},
            'src/sync/ring.cpp:1: "native/page.h": sync must not include native',
        )

    def test_sideways_include(self):
        self.expect_error(
            {"src/report/page.cpp": '#include "native/other.h"\n', "src/native/other.h": ""},
            "report must not include native",
        )

    def test_workload_including_more_than_core(self):
        self.expect_error(
            {"workloads/tree.cpp": "#include <mmt/sync/ring.h>\n"}, "must not include sync"
        )

    def test_public_header_including_an_internal_one(self):
        self.expect_error(
            {"include/mmt/native/page.h": '#include "native/page.h"\n'},
            "a public header includes an internal one",
        )

    def test_unlisted_folder(self):
        self.expect_error({"src/extra/thing.cpp": ""}, "src/extra: folder is not listed")

    def test_unlisted_public_folder(self):
        self.expect_error({"include/mmt/extra/thing.h": ""}, "include/mmt/extra: folder is not")

    def test_source_outside_every_folder(self):
        self.expect_error({"src/main.cpp": ""}, "a source outside every folder")

    def test_include_of_the_parent(self):
        self.expect_error(
            {"src/report/page.cpp": '#include "../native/page.h"\n'}, "an include by relative path"
        )

    def test_include_of_the_neighbour(self):
        self.expect_error(
            {"src/native/page.cpp": '#include "page.h"\n'}, "an include by relative path"
        )

    def test_relative_include_in_a_tree(self):
        self.expect_error(
            {"workloads/common/flags.cpp": '#include "flags.h"\n'}, "an include by relative path"
        )

    def test_internal_header_in_angle_brackets(self):
        self.expect_error(
            {"src/native/page.cpp": "#include <native/page.h>\n"}, "is included with quotes"
        )

    def test_tests_seen_from_the_library(self):
        self.expect_error(
            {"src/native/page.cpp": '#include "support/double.h"\n'}, "not a path from an include"
        )

    def test_missing_public_header(self):
        self.expect_error(
            {"src/native/page.cpp": "#include <mmt/core/gone.h>\n"}, "no such public header"
        )

    def test_forbidden_system_header(self):
        self.expect_error(
            {"include/mmt/core/bits.h": "#include <sys/mman.h>\n"}, "core must not include sys/"
        )

    def test_comments_do_not_include(self):
        text = '/* #include "native/page.h"\n#include "../up.h" */\n// #include <mmt/gone.h>\n'
        self.assertEqual(self.check({"src/sync/ring.cpp": text}).returncode, 0)

    def test_circle_of_files(self):
        self.expect_error(
            {
                "include/mmt/sync/ring.h": "#pragma once\n#include <mmt/sync/slow.h>\n",
                "include/mmt/sync/slow.h": "#pragma once\n#include <mmt/sync/ring.h>\n",
            },
            "in a circle: include/mmt/sync/ring.h > include/mmt/sync/slow.h > include/mmt/sync/ring.h",
        )
        self.expect_error(
            {"src/native/page.h": '#pragma once\n#include "native/page.h"\n'},
            "in a circle: src/native/page.h > src/native/page.h",
        )

    def test_circle_in_the_law(self):
        law = '[folders.a]\nabove = ["b"]\n[folders.b]\nabove = ["a"]\n'
        result = self.check({"docs/folders.toml": law})
        self.assertEqual(result.returncode, 1)
        self.assertIn("a circle: a > b > a", result.stderr)

    def test_unknown_folder_in_the_law(self):
        result = self.check({"docs/folders.toml": LAW + '[folders.x]\nabove = ["nowhere"]\n'})
        self.assertEqual(result.returncode, 1)
        self.assertIn("'nowhere', which is not listed", result.stderr)


if __name__ == "__main__":
    unittest.main()
