"""Option stats: what is written when a program ends, and what is said when that cannot be done."""

import json
import os
import resource
import struct
import unittest

from support import LIBRARY, Lab

# As PageFile in src/interprocess/stats_page.h: page, what was inherited, whose it is.
STATS_PAGE = struct.Struct("<8sIIQ64Q64QIIQQ16sQQ")


class AtExit(Lab):
    def test_counts_blocks_exactly(self):
        base = self.figures()
        for server in ("off", "on"):
            full = self.figures("take", 100000, 200, server=server)
            self.assertEqual(full["in_use_blocks"] - base["in_use_blocks"], 100000)
            self.assertEqual(full["in_use_bytes"] - base["in_use_bytes"], 100000 * 208)
            half = self.figures("take", 100000, 200, "free", 50000, server=server)
            self.assertEqual(half["in_use_blocks"] - base["in_use_blocks"], 50000)

    def test_counts_large_blocks(self):
        figures = self.figures("take", 5, 10 << 20, "free", 2)
        self.assertEqual(figures["large_in_use_bytes"], 3 * (10 << 20))
        self.assertEqual((figures["large_taken"], figures["large_given"]), (5, 2))

    def test_tells_who_did_the_work(self):
        # The second rest is for a memory thread that gets no CPU before.
        take = ("take", 100000, 100, "rest", 200)
        offloaded = self.figures(*take, *take, server="on")
        self.assertEqual(offloaded["server_state"], 2)
        self.assertGreater(offloaded["server_cpu_ns"], 0)
        self.assertGreater(offloaded["server_naps"] + offloaded["server_parks"], 0)
        direct = self.figures("take", 200000, 100, server="off")
        self.assertEqual(direct["server_state"], 3)
        works = {k: v for k, v in direct.items() if k.startswith("server_") and k != "server_state"}
        self.assertEqual(works, dict.fromkeys(works, 0))
        self.assertIn("server_batches", works)
        self.assertGreater(direct["spans_self"], 0)

    def test_text_on_standard_error(self):
        for name in ("-", "stderr"):
            done = self.run_holder(stats=name)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            self.assertRegex(done.stderr, r"^mmt: statistics of process \d+ \(holder\)\n")
            self.assertRegex(done.stderr, r"\n  in_use_bytes +\d+ bytes ")

    def test_file_names(self):
        self.run_holder(stats="%e.%p.%%.%z")
        (name,) = os.listdir(self.folder)
        self.assertRegex(name, r"^holder\.\d+\.%\.%z$")
        self.assertTrue((self.folder / name).read_text(encoding="utf-8").startswith("mmt: "))

    def test_json(self):
        self.run_holder(stats="a.json")
        data = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertEqual(list(data), ["schema", "pid", "program", "library", "stats", "units"])
        self.assertEqual((data["schema"], data["program"], data["library"]), (1, "holder", LIBRARY))
        self.assertEqual(set(data["stats"]), set(data["units"]))

    def test_replaces_what_was_there(self):
        (self.folder / "a.json").write_text("x" * 100000)
        self.run_holder(stats="a.json")
        json.loads((self.folder / "a.json").read_text(encoding="utf-8"))

    def test_every_way_to_end(self):
        for way in ("thread-exit", "main-ends"):
            figures = self.figures("take", 10000, 1000, way)
            self.assertGreaterEqual(figures["in_use_bytes"], 10000000, way)

    def test_environment_that_was_overwritten(self):
        self.figures("scribble", "take", 1000, 1000)

    def test_child_of_fork_reports_for_itself(self):
        self.run_holder("take", 1000, 100, "fork", stats="%p.json")
        reports = [json.loads(p.read_text(encoding="utf-8")) for p in self.folder.iterdir()]
        self.assertEqual(sorted(r["stats"]["forked_child"] for r in reports), [0, 1])
        for report in reports:
            self.assertEqual(report["stats"]["large_in_use_blocks"], report["stats"]["forked_child"])
            self.assertGreaterEqual(report["stats"]["in_use_blocks"], 1000)

    def test_program_that_closes_standard_error(self):
        done = self.run_holder("close-2", stats="-")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^mmt: statistics of process \d+ \(holder\)\n")

    def test_standard_error_that_was_never_there(self):
        self.run_holder("take", 100, 100, stats="-", closed=True)


class PageFile(Lab):
    """Option stats=FOLDER/: what the last moment of a process leaves."""

    def pages(self, folder=None):
        """By process, in the order they were opened."""
        found = []
        for path in (folder or self.folder).iterdir():
            magic, version, count, sequence, *rest = STATS_PAGE.unpack(path.read_bytes()[: STATS_PAGE.size])
            values, inherited = rest[:64], rest[64:128]
            process, parent, opened, ended, name, *_ = rest[128:]
            self.assertEqual((magic, version, sequence % 2), (b"MMTSTAT\0", 1, 0))
            self.assertEqual(path.name, f"{process}.{opened}")
            found.append((opened, values[:count], inherited[:count], parent, ended, name.rstrip(b"\0").decode()))
        return sorted(found)

    def test_exact_when_the_process_exits(self):
        self.run_holder("take", 1000, 1000, stats=f"{self.folder}/")
        ((opened, values, inherited, parent, ended, name),) = self.pages()
        self.assertGreaterEqual(values[0], 1000 * 1024)
        self.assertEqual((set(inherited), parent, name), ({0}, os.getpid(), "holder"))
        self.assertGreater(ended, opened)

    def test_left_by_a_process_that_is_killed(self):
        self.run_holder("take", 100000, 1000, "kill", stats=f"{self.folder}/", server="off", status=-9)
        ((_, values, _, _, ended, _),) = self.pages()
        self.assertGreaterEqual(values[0], 80 << 20)
        self.assertEqual(ended, 0)

    def test_lives_on_under_a_filter_that_kills(self):
        for server in ("on", "off"):
            folder = self.folder / server
            folder.mkdir()
            take = ("take", 20000, 1000)
            self.run_holder(*take, "confine", *take, "fork", stats=f"{folder}/", server=server)
            ((_, values, _, _, ended, _),) = self.pages(folder)
            self.assertGreaterEqual(values[0], 2 * 20000 * 1000)
            self.assertGreater(ended, 0)

    def test_child_has_one_of_its_own(self):
        self.run_holder("take", 1000, 100, "fork", stats=f"{self.folder}/")
        of_parent, of_child = self.pages()
        self.assertEqual((set(of_parent[2]), of_child[5]), ({0}, "holder"))
        self.assertGreaterEqual(of_child[2][1], 1000)  # blocks in use
        self.assertGreaterEqual(of_child[1][0] - of_child[2][0], 1 << 20)

    def test_child_has_peaks_of_its_own(self):
        figures = self.figures("take", 1, 50 << 20, "free", 1)
        self.assertGreaterEqual(figures["peak_in_use_bytes"], 50 << 20)
        self.assertGreaterEqual(figures["peak_held_bytes"], 50 << 20)
        (self.folder / "figures.json").unlink()
        self.run_holder("take", 1, 50 << 20, "free", 1, "fork", stats="%p.json")
        reports = [json.loads(p.read_text(encoding="utf-8"))["stats"] for p in self.folder.iterdir()]
        of_child = next(one["peak_in_use_bytes"] for one in reports if one["forked_child"] == 1)
        self.assertTrue(1 << 20 <= of_child < 50 << 20, of_child)

    def test_folder_that_is_not_there(self):
        done = self.run_holder("take", 1000, 100, stats=f"{self.folder}/missing/")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_no_file_may_be_that_large(self):
        self.run_holder("take", 1000, 100, stats=f"{self.folder}/", limits={resource.RLIMIT_FSIZE: 100})
        self.assertEqual(self.pages(), [])


class Failing(Lab):
    def assert_complains(self, path, problem):
        done = self.run_holder(stats=path)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertRegex(done.stderr, rf"^mmt: cannot write statistics to [^\n]*{problem}[^\n]*\n$")
        self.assertIn(str(path), done.stderr)
        quiet = self.run_holder(stats=path, quiet="on")
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))

    def test_full_disk(self):
        self.assert_complains("/dev/full", "no space left on device")

    def test_no_such_folder(self):
        self.assert_complains(self.folder / "missing" / "a.json", "no such file or directory")

    def test_folder(self):
        self.assert_complains(self.folder, "is a directory")

    def test_name_that_is_too_long(self):
        self.assert_complains("x" * 300, "file name too long")

    def test_no_permission(self):
        # Not even root may write there.
        self.assert_complains("/proc/sys/kernel/ostype", "(permission denied|read-only file system)")


if __name__ == "__main__":
    unittest.main()
