"""`mmt explain`: functions and lines of reports, as text, JSON and SARIF; damaged and hostile input."""

import json
import os
import re
import subprocess
import urllib.parse

from hostile_support import HOSTILE, HostileLab
from support import MMT, Lab, clean_environment, main, mmt

# Line 5 allocates, line 9 frees, and line 14 once more.
SOURCE = """#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) char* make(void) {
  char* volatile block = malloc(24);
  return block;
}
static __attribute__((noinline)) void drop(char* block) {
  free(block);
  puts("dropped");
}
static __attribute__((noinline)) void twice(char* block) {
  puts("twice");
  free(block);
  fputs("a line without end", stderr);
}
int main(void) {
  char* block = make();
  drop(block);
  twice(block);
  return 0;
}
"""
KINDS = "double-free invalid-free overflow underflow write-after-free size-mismatch type-mismatch metadata-write read-after-free"


class Explains(Lab):
    def setUp(self):
        super().setUp()
        self.program = self.build("-g")

    def build(self, *flags, name="prog"):
        # By its path, as compilers are called: from standard input the file has no name.
        source = self.folder / "prog.c"
        source.write_text(SOURCE)
        path = self.folder / name
        subprocess.run(["cc", "-O1", "-fno-builtin", *flags, source, "-o", path], check=True, timeout=60)
        return path

    def reported(self, program=None, **variables):
        """What a run of the program writes to stderr."""
        env = clean_environment(**variables)
        done = mmt("run", "--harden", "--", program or self.program, env=env)
        self.assertEqual((done.status, done.out), (1, "dropped\ntwice\n"), done)
        self.assertIn("mmt: double-free: ", done.err)
        return done.err

    def reports_file(self):
        path = self.folder / "reports.jsonl"
        self.reported(MMT_HARDEN_REPORT=path)
        return path

    def assert_explained(self, lines, name="prog"):
        self.assertRegex(lines[0], r"^mmt: double-free: block 0x[0-9a-f]+( of \d+ bytes)?: freed already$")
        self.assertRegex(lines[1], rf"^  found by       twice \(prog\.c:14\) {name}\+0x[0-9a-f]+$")
        self.assertRegex(lines[2], rf"^  allocated by   make \(prog\.c:5\) {name}\+0x[0-9a-f]+$")
        self.assertRegex(lines[3], rf"^  freed by       drop \(prog\.c:9\) {name}\+0x[0-9a-f]+$")
        self.assertRegex(lines[4], r"^  allocated \d+ ms ago at most, freed \d+ ms ago at most$")


class Text(Explains):
    def test_in_a_pipe(self):
        pipe = 'set -o pipefail; "$0" run --harden -- "$1" 2>&1 | "$0" explain'
        done = subprocess.run(
            ["bash", "-c", pipe, os.path.abspath(MMT), self.program],
            env=clean_environment(), capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (1, ""), "that of the program")
        lines = done.stdout.splitlines()
        self.assert_explained(lines)
        self.assertEqual("\n".join(lines[5:]), "a line without enddropped\ntwice", lines)

    def test_of_a_file(self):
        path = self.folder / "stderr.txt"
        path.write_text("before\n" + self.reported())
        for words, stdin in (((path,), ""), (("-",), path.read_text()), ((), path.read_text())):
            done = mmt("explain", *words, stdin=stdin)
            self.assertEqual((done.status, done.err), (0, ""), done)
            lines = done.out.splitlines()
            self.assertEqual((lines[0], lines[6]), ("before", "a line without end"))
            self.assert_explained(lines[1:])

    def test_of_fixed_addresses(self):
        err = self.reported(self.build("-g", "-no-pie", name="fixed"))
        self.assert_explained(mmt("explain", stdin=err).out.splitlines(), name="fixed")

    def test_of_json(self):
        done = mmt("explain", self.reports_file())
        self.assertEqual((done.status, done.err), (0, ""), done)
        self.assert_explained(done.out.splitlines())

    def test_as_it_comes(self):
        """A server's reports are explained while it goes on."""
        ours = subprocess.Popen([MMT, "explain"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with ours:
            ours.stdin.write(self.reported().removesuffix("a line without end"))
            ours.stdin.flush()
            self.assert_explained([ours.stdout.readline().rstrip("\n") for _ in range(5)])
            ours.stdin.close()
        self.assertEqual(ours.returncode, 0)

    def test_other_bytes_are_unchanged(self):
        (self.folder / "bytes").write_bytes(HOSTILE + b"\n\0\r\n" + b"x" * 200000)
        done = subprocess.run([MMT, "explain", self.folder / "bytes"], capture_output=True, check=True)
        self.assertEqual(done.stdout, (self.folder / "bytes").read_bytes())
        self.assertEqual(done.stderr, b"mmt: no reports\n")


class Unknown(Explains):
    def explained(self, err):
        done = mmt("explain", stdin=err)
        self.assertEqual(done.status, 0, done)
        return done

    def test_module_is_gone(self):
        err = self.reported()
        place = re.search(r"found by (0x.*)\n", err)[1]
        self.program.unlink()
        done = self.explained(err)
        self.assertIn(f"\n  found by       {place}\n", done.out)
        self.assertEqual(done.err, f"mmt: not all functions and lines are known: there is no '{self.program}'\n")

    def test_module_has_no_debug_information(self):
        done = self.explained(self.reported(self.build()))
        self.assertRegex(done.out, r"\n  freed by       drop prog\+0x[0-9a-f]+\n")
        self.assertIn(f"'{self.program}' has no debug information", done.err)
        done = self.explained(self.reported(self.build("-s")))
        self.assertRegex(done.out, rf"\n  freed by       0x[0-9a-f]+ \({self.program}\+0x[0-9a-f]+\)\n")

    def test_module_has_changed(self):
        path = self.reports_file()
        os.utime(path, (1, 1))
        done = mmt("explain", path)
        self.assertIn(f"'{self.program}' has changed since", done.err)
        self.assertNotIn("prog.c", done.out)

    def test_files_that_are_none(self):
        os.mkfifo(self.folder / "pipe")
        err = "mmt: overflow: block 0x10: x\n"
        for path in (self.folder / "pipe", self.folder, "/dev/zero", "/etc/passwd", "/" + "x" * 5000, "relative"):
            done = self.explained(f"{err}mmt:   found by 0x20 ({path}+0x10)\n")
            self.assertIn(f"  found by       0x20 ({path}+0x10)\n", done.out)
            self.assertEqual(len(done.err.splitlines()), 1, done.err)
        done = self.explained(f"{err}mmt:   found by 0x20 (/a+0x10)\nmmt:   freed by 0x20 (/b+0x10)\n")
        self.assertIn("there is no '/a'; 1 other file too", done.err)
        self.assertIn("code of no file", self.explained(f"{err}mmt:   found by 0x20\n").err)


class Documents(Explains):
    def test_json(self):
        done = mmt("explain", "--json", self.reports_file())
        self.assertEqual((done.status, done.err), (0, ""), done)
        document = json.loads(done.out)
        self.assertEqual(document["schema"], 1)
        (report,) = document["reports"]
        (written,) = map(json.loads, (self.folder / "reports.jsonl").read_text().splitlines())
        for role, function, line in (("found", "twice", 14), ("allocated", "make", 5), ("freed", "drop", 9)):
            place = report[role]
            self.assertEqual((place["function"], place["line"]), (function, line))
            self.assertEqual(place["file"], str(self.folder / "prog.c"))
            self.assertEqual(place, written[role] | {name: place[name] for name in ("function", "file", "line")})
        for name in written.keys() - {"schema", "found", "allocated", "freed"}:
            self.assertEqual(report[name], written[name])

    def test_of_text_and_of_json_are_alike(self):
        text = json.loads(mmt("explain", "--json", stdin="a line\n" + self.reported()).out)["reports"]
        lines = json.loads(mmt("explain", "--json", self.reports_file()).out)["reports"]
        for one in (*text, *lines):
            for role in ("found", "allocated", "freed"):
                del one[role]["address"]
            for name in ("pid", "thread", "block", "at"):
                one.pop(name, None)
            for name in ("allocated_ms_ago", "freed_ms_ago"):
                self.assertIsInstance(one.pop(name), int)
        self.assertEqual(text, lines)

    def assert_sarif(self, text):
        log = json.loads(text)
        self.assertEqual(log["version"], "2.1.0")
        self.assertIn("sarif-2.1.0", log["$schema"])
        (run,) = log["runs"]
        driver = run["tool"]["driver"]
        self.assertEqual(driver["name"], "mmt")
        self.assertEqual(driver["version"], mmt("--version").out.split()[1])
        self.assertEqual([rule["id"] for rule in driver["rules"]], KINDS.split())
        for rule in driver["rules"]:
            self.assertTrue(rule["shortDescription"]["text"])
            self.assertNotIn("helpUri", rule)
        for result in run["results"]:
            self.assertEqual(driver["rules"][result["ruleIndex"]]["id"], result["ruleId"])
            self.assertEqual(result["level"], "error")
            self.assertTrue(result["message"]["text"])
            self.assertTrue(result["partialFingerprints"])
        return run["results"]

    def assert_at(self, location, line, function):
        physical = location["physicalLocation"]
        self.assertEqual(physical["region"], {"startLine": line})
        uri = urllib.parse.urlparse(physical["artifactLocation"]["uri"])
        self.assertEqual((uri.scheme, urllib.parse.unquote(uri.path)), ("file", str(self.folder / "prog.c")))
        self.assertEqual(location["logicalLocations"], [{"fullyQualifiedName": function, "kind": "function"}])

    def test_sarif(self):
        path = self.reports_file()
        self.reported(MMT_HARDEN_REPORT=path)
        done = mmt("explain", "--sarif", path)
        self.assertEqual((done.status, done.err), (0, ""), done)
        first, second = self.assert_sarif(done.out)
        self.assertEqual(first["ruleId"], "double-free")
        (found,) = first["locations"]
        self.assert_at(found, 14, "twice")
        allocated, freed = first["relatedLocations"]
        self.assert_at(allocated, 5, "make")
        self.assert_at(freed, 9, "drop")
        self.assertRegex(allocated["message"]["text"], r"^allocated by make \(prog\.c:5\)")
        self.assertEqual(first["partialFingerprints"], second["partialFingerprints"])
        self.assertIn("double-free:prog+0x", str(first["partialFingerprints"]))

    def test_sarif_goes_to_a_file_beside_the_text(self):
        path = self.folder / "heap.sarif"
        done = mmt("explain", f"--sarif={path}", stdin=self.reported())
        self.assertEqual((done.status, done.err), (0, ""), done)
        self.assert_explained(done.out.splitlines())
        self.assertEqual(len(self.assert_sarif(path.read_text())), 1)
        done = mmt("explain", f"--sarif={path}", "--json", stdin="")
        self.assertEqual(json.loads(done.out)["reports"], [])
        self.assertEqual(self.assert_sarif(path.read_text()), [])

    def test_sarif_of_what_nobody_called(self):
        report = {"schema": 1, "kind": "write-after-free", "text": "freed memory was written", "block": "0x10"}
        place = {"address": "0x20", "module": "/no such/m", "offset": "0x30"}
        for places, uri in (({"freed": place}, "file:///no%20such/m"), ({"freed": place | {"module": ""}}, None), ({}, None)):
            done = mmt("explain", "--sarif", stdin=json.dumps(report | places, separators=(",", ":")))
            (result,) = self.assert_sarif(done.out)
            for one in (*result["locations"], *result["relatedLocations"]):
                physical = {"artifactLocation": {"uri": uri}} if uri else {"address": {"absoluteAddress": 0x20}}
                self.assertEqual(one["physicalLocation"], physical)
            self.assertEqual(len(result["locations"]), len(places))


class Wrong(Explains):
    def test_lines_of_json(self):
        path = self.reports_file()
        good = path.read_text()
        path.write_text(good + good[:50] + "\n" + good.replace('"schema":1', '"schema":2') + good)
        for words in ((), ("--json",), ("--sarif",)):
            done = mmt("explain", *words, path)
            self.assertEqual(done.status, 1, done)
            self.assertEqual(
                done.err, f"mmt: '{path}', line 2: it is no JSON\nmmt: '{path}', line 3: it is of another schema than 1\n"
            )
        self.assertEqual(mmt("explain", path).out.count("(prog.c:14)"), 2)
        path.write_text(good + "x\n" * 100)
        done = mmt("explain", path)
        self.assertEqual(len(done.err.splitlines()), 17)
        self.assertIn("\nmmt: 84 more lines are wrong\n", done.err)

    def test_nothing(self):
        for words, out in (((), ""), (("--json",), '"reports": []'), (("--sarif",), '"results": []')):
            done = mmt("explain", *words)
            self.assertEqual((done.status, done.err), (0, "mmt: no reports\n"), done)
            self.assertIn(out, done.out)

    def test_files(self):
        for path in ("/nowhere", self.folder):
            self.assert_fails(mmt("explain", path), 1, "cannot read", path)
        done = mmt("explain", "/nowhere", self.reports_file())
        self.assertEqual(done.status, 1)
        self.assert_explained(done.out.splitlines())

    def test_usage(self):
        self.assert_fails(mmt("explain", "--", "true"), 2, "no command")
        self.assert_fails(mmt("explain", "--json", "--sarif"), 2, "--json", "--sarif")
        self.assert_fails(mmt("explain", "--memory", "x"), 2, "--memory")
        self.assert_fails(mmt("explain", "--sarif=/nowhere/x"), 1, "/nowhere/x")
        path = self.reports_file()
        self.assert_fails(mmt("explain", f"--sarif={path}", path), 2, path)
        self.assertIn("double-free", path.read_text())

    def test_full_disk(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.assert_fails(mmt("explain", self.reports_file(), stdout=full), 1, "No space left on device")

    def test_memory(self):
        path = self.reports_file()
        path.write_text(path.read_text() * 200000)
        self.assert_fails(mmt("explain", "--json", "--memory", "16M", path), 1, "more than the 16 MiB", path)


class Hostile(HostileLab):
    def test_names(self):
        name = HOSTILE.decode(errors="replace")
        place = {"address": "0x20", "module": f"/{name}", "offset": "0x30"}
        report = {"schema": 1, "kind": "overflow", "text": name, "allocated_as": name, "freed_as": name}
        line = json.dumps(report | {"found": place, "freed": place | {"module": "/a\0b"}}, separators=(",", ":"))
        (self.folder / "reports.jsonl").write_text(line + "\n" + line.replace("overflow", "over\\u001bflow"))
        for words in ((), ("--json",), ("--sarif",)):
            status, out, err = self.run_bytes("explain", *words, "reports.jsonl")
            self.assertEqual(status, 1)
            self.assertIn("\\u001b" if words == ("--json",) else "x1b" if not words else "%1B", out)
            self.assertIn("\\x1b", err)


if __name__ == "__main__":
    main()
