"""Files that the laboratory reads and others wrote: no traceback, no memory without end, one line that
names the file and the place."""

import copy
import json
import os
import pathlib
import random
import re
import resource
import subprocess

import lab_support
import report_support
from mmt_lab.command.failure import Failure
from mmt_lab.reporters import joined_page
from mmt_lab.results import result_files

DEEP = "[" * 100_000
# What stands where something else belongs.
STRANGE = (
    None, True, -1, 0, 3.5, 2**63, 2**64 + 1, 10**300, -1e308, 1e308, 5e-324, "", "x", "1", "\0", "\ud800", "é\n<b>",
    "9" * 5000 + " kB", [], {}, [[]], {"": {}}, [1], {"a": [None]},
)  # fmt: skip


class Crafted(report_support.Reports):
    def told(self, *words, status=1, memory=None):
        """What `mmt ...` says: one line."""

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        done = self.mmt(*words, preexec_fn=limit if memory else None)
        self.assertEqual(done[0], status, done)
        self.assertRegex(done[2], r"\Ammt: [^\n]+\n\Z")
        for word in ("Traceback", "Error", "exception"):
            self.assertNotIn(word, done[2])
        return done[2]

    def file(self, content, name="bad.json"):
        (self.folder / name).write_text(content)
        return name


class Results(Crafted):
    def test_no_json_that_can_be_used(self):
        for text, says in (
            (DEEP, "too deep in each other in line 1"),
            ('{"kind":\n' + '{"a":' * 5000 + "1" + "}" * 5000 + "}", "too deep in each other in line 2"),
            ('{"a": NaN}', "NaN is no number"),
            ("[-Infinity]", "-Infinity is no number"),
            ('{"kind": "bench", "kind": "study"}', 'the key "kind" twice'),
            ("9" * 5000, "is no JSON"),
            ("", "is empty"),
        ):  # fmt: skip
            self.assertIn(f"'bad.json' {says}" if says == "is empty" else says, self.told("report", self.file(text)))

    def test_more_than_the_memory_that_it_may_take(self):
        wide = '{"kind": "bench", "schema": 1, "x": [' + ",".join(["{}"] * 2_000_000) + "]}"
        self.file(wide)
        said = self.told("report", "bad.json", "--memory", "64M")
        self.assertEqual(said, "mmt: 'bad.json': it takes more than the 64 MiB of memory that --memory gives\n")
        (self.folder / "folder").mkdir()
        os.rename(self.folder / "bad.json", self.folder / "folder" / "bad.json")
        self.assertIn("'folder/bad.json': it takes", self.told("report", "folder", "--memory", "64M"))
        with open(self.folder / "sparse.json", "wb") as file:
            file.truncate(1 << 40)
        self.assertIn("'sparse.json': it takes", self.told("report", "sparse.json", "--memory", "64M"))
        self.file('{"kind": [' + ",".join(["{}"] * 6_000_000) + "]}", "folder/bad.json")
        self.assertIn("'folder/bad.json': it takes", self.told("report", "folder", memory=400 << 20))

    def test_fields_of_a_grid(self):
        self.make_study("study")
        path = self.folder / "study" / "report.json"
        told = json.loads(path.read_text())
        grid = told["experiments"][0]["grids"][0]
        grid["rows"] = [f"r{at}" for at in range(20_000)]
        grid["columns"] = [f"c{at}" for at in range(20_000)]
        path.write_text(json.dumps(told))
        self.assertIn("has more fields than its cells fill", self.told("report", "study"))

    def test_numbers_that_are_none(self):
        self.make_bench("bench.json", self.reporting)
        told = json.loads((self.folder / "bench.json").read_text())
        metric = told["programs"][0]["cells"][0]["metrics"]["wall"]
        for low, high in ((-1e308, 1e308), (0, 1.7e308), ("1", 2)):
            metric["low"], metric["high"] = low, high
            self.assertIn("metrics.wall.", self.told("report", self.file(json.dumps(told))))
        metric["low"], metric["high"] = 1, 2
        told["machine"]["memory"] = "9" * 5000 + " kB"
        done = self.mmt("report", self.file(json.dumps(told)))
        self.assertEqual((done[0], done[2]), (0, ""))

    def test_anything_anywhere(self):
        """Whatever stands in a place, the result is refused or shown."""
        self.make_bench("bench.json", self.reporting)
        self.make_study("study")
        for path in (self.folder / "bench.json", self.folder / "study" / "report.json"):
            whole = json.loads(path.read_text())
            numbers = random.Random(1)
            for _ in range(200):
                changed = copy.deepcopy(whole)
                for _ in range(numbers.randint(1, 3)):
                    self.change_somewhere(changed, numbers)
                (self.folder / "changed.json").write_text(json.dumps(changed))
                try:
                    joined_page.render(result_files.find([str(self.folder / "changed.json")]))
                except Failure as failure:
                    self.assertNotIn("\n", str(failure))

    @staticmethod
    def change_somewhere(data, numbers):
        while True:
            keys = list(data) if isinstance(data, dict) else list(range(len(data)))
            if not keys:
                return
            key = numbers.choice(keys)
            inner = data[key]
            if not isinstance(inner, (dict, list)) or not inner or numbers.random() < 0.15:
                break
            data = inner
        if numbers.random() < 0.2:
            del data[key]
        else:
            data[key] = copy.deepcopy(numbers.choice(STRANGE))


class Suites(Crafted):
    def test_no_suite(self):
        for text, says in (
            (DEEP, "too deep"), ('{"schema": NaN}', "NaN is no number"), ('{"schema": 1, "schema": 1}', "twice"),
            ("9" * 5000, "is no JSON"), ("", "is no JSON"), ("\x00", "is no JSON"),
            ('{"schema": 1, "name": 3}', "its name is no text"),
            ('{"schema": 1, "name": "s", "programs": [{"name": "p", "command": "x"}]}', "command is no list"),
            ('{"schema": 1, "name": "s", "programs": [{"name": "p", "command": ["x"], "runs": 1e9}]}', "whole number"),
        ):  # fmt: skip
            said = self.told("bench", "--list", "--suite", self.file(text))
            self.assertIn("the suite 'bad.json'", said)
            self.assertIn(says, said)

    def test_more_than_the_memory_that_it_may_take(self):
        self.file('{"schema": 1, "name": "s", "programs": [' + ",".join(["{}"] * 2_000_000) + "]}")
        said = self.told("bench", "--list", "--suite", "bad.json", "--memory", "64M")
        self.assertIn("'bad.json': it takes more than the 64 MiB", said)


class Journals(Crafted):
    def go_on(self, *lines):
        (self.folder / "study" / "journal.jsonl").write_text("".join(f"{one}\n" for one in lines))
        words = ("heap-layers", "--only", "figure-1", "--rounds", 2, "--output", "study", "--quiet")
        return self.told("study", *words)

    def test_lines_that_are_none(self):
        self.make_study("study")
        first, second, *_ = (self.folder / "study" / "journal.jsonl").read_text().splitlines()
        for line in (DEEP, "3", "[]", '{"run": "x"}', '{"remark": 3}', '{"run": 3, "round": 1, "metrics": {}}',
                     '{"run": "x", "round": 1, "metrics": {"wall": "3"}}', '{"run": "x", "round": "1", "metrics": {}}',
                     '{"run": "x", "round": 1, "metrics": {"wall": NaN}}'):  # fmt: skip
            said = self.go_on(first, second, line)
            self.assertIn("journal.jsonl' is damaged in line 3; --fresh begins anew", said)
        self.assertIn("is damaged in line 1", self.go_on(DEEP))
        self.assertIn("is no journal of this version", self.go_on("[]"))
        self.assertIn("is damaged in line 1", self.go_on('{"kind": "journal", "schema": 1, "identity": []}'))

    def test_what_is_no_file(self):
        (self.folder / "study").mkdir()
        for make in (os.mkfifo, os.mkdir):
            make(self.folder / "study" / "journal.jsonl")
            words = ("heap-layers", "--only", "figure-1", "--rounds", 2, "--output", "study", "--quiet")
            self.assertIn("journal.jsonl' is no regular file", self.told("study", *words))
            remove = os.rmdir if make is os.mkdir else os.unlink
            remove(self.folder / "study" / "journal.jsonl")


class Simulated(Crafted):
    def setUp(self):
        super().setUp()
        for name in ("mmt-replay-models", "mmt-replay-real"):
            program = lab_support.MMT.parent / name
            (self.prefix / "libexec" / "mmt" / name).write_bytes(program.read_bytes())
            (self.prefix / "libexec" / "mmt" / name).chmod(0o755)
        (self.folder / "inner").mkdir()
        (self.folder / "secret.rep").write_text("a 0 16\n")
        (self.folder / "inner" / "one.rep").write_text("a 0 16\n")
        (self.folder / "inner" / "link.rep").symlink_to("../secret.rep")

    def simulate(self, told, *words, status=1):
        self.file(told if isinstance(told, str) else json.dumps(told), "inner/all.mtr")
        return self.told("simulate", "inner/all.mtr", "--allocator", "tlsf", "-q", *words, status=status)

    def test_files_outside_of_the_list_s_folder(self):
        for name in ("../secret.rep", "link.rep", str(self.folder / "secret.rep"), "", "x/../../secret.rep"):
            for kind in ("processes", "failed"):
                said = self.simulate({"mmt_trace_processes": 1, "processes": [], kind: [{"file": name}]})
                self.assertIn(f"inner/all.mtr', {kind}[0]: its file '{name}' is none of the list's folder", said)

    def test_no_list(self):
        start = '{"mmt_trace_processes": 1, "processes": '
        for text, says in ((start + DEEP, "too deep"), (start + "[{}]}", "processes[0]: it has no 'file'"),
                           (start + "[NaN]}", "NaN is no number"), (start + "[3]}", "processes[0]: it is no object"),
                           (start + '[], "processes": []}', "twice"), ('{"a": 1}', "no 'mmt_trace_processes'"),
                           (start + '[{"file": 3}]}', "its 'file' is no text")):  # fmt: skip
            said = self.simulate(text)
            self.assertIn("inner/all.mtr'", said)
            self.assertIn(says, said)

    def test_a_bad_list_stops_no_other(self):
        self.file("{", "inner/all.mtr")
        done = self.mmt("simulate", "inner/all.mtr", "inner/one.rep", "--allocator", "tlsf", "-q")
        self.assertEqual(done[0], 1)
        self.assertIn("inner/all.mtr' is no JSON", done[2])
        self.assertIn("tlsf", done[1])

    def test_memory_is_shared_and_given_whole_at_last(self):
        """What half of it does not do for goes again alone."""
        (self.folder / "inner" / "large.rep").write_text("".join(f"a {at} 16\n" for at in range(300_000)))
        words = ("simulate", "inner/large.rep", "--allocator", "tlsf,buddy", "--no-bounds", "-q", "--jobs", 2)
        done = self.mmt(*words, "--memory", "8M")
        self.assertEqual(done[0], 1)
        self.assertIn("inner/large.rep', line ", done[2])
        self.assertIn("it takes more than the 8 MiB of memory that --memory gives", done[2])
        done = self.mmt(*words, "--memory", "1G")
        self.assertEqual((done[0], done[2]), (0, ""))


class Copied(lab_support.Bench):
    def test_the_bound_is_none_of_a_programs(self):
        """What `mmt bench` starts has the limits that it had."""
        self.program("limits", "ulimit -d >limits.txt")
        told = {"schema": 1, "name": "s", "programs": [{"name": "p", "command": ["{workloads}/classic/limits"]}]}
        (self.folder / "suite.json").write_text(json.dumps(told))
        words = ["bench", "--suite", "suite.json", "--allocators", "glibc", "--runs", "1", "-q", "--memory", "64M"]
        done = subprocess.run([self.binary, *words], cwd=self.folder, env=lab_support.clean_environment(),
                              capture_output=True, text=True, timeout=60, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done)
        found = [one for one in pathlib.Path(self.folder).rglob("limits.txt")]
        self.assertEqual({one.read_text().strip() for one in found}, {"unlimited"})
        self.assertNotRegex(done.stderr, re.compile("Traceback"))


if __name__ == "__main__":
    lab_support.main()
