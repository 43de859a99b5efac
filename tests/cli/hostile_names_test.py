"""Names of others do nothing to their readers: arguments, files, processes, programs of traces and
suites, keys of configurations, variables."""

import json
import os
import subprocess

from hostile_support import HOSTILE, HOSTILE_COMM, HostileLab, shown
from support import MMT, clean_environment, library, main, verbs

WAITING = '#include <unistd.h>\n#include <stdlib.h>\nint main(void) { free(malloc(99)); write(1, "ready\\n", 6); return pause(); }'


class Arguments(HostileLab):
    def test_of_every_verb(self):
        for verb in verbs():
            for words in ((HOSTILE,), (b"--" + HOSTILE,), (b"--json=" + HOSTILE,), (b"-x" + HOSTILE,), ("--", HOSTILE)):
                if words[0] == "--" and verb in ("bench", "check", "run", "trace"):
                    continue
                status, _, err = self.run_bytes(verb, *words)
                self.assertNotEqual(status, 0, (verb, words))
                self.assertLessEqual(err.count("\n"), 1, (verb, words, err))

    def test_of_no_verb(self):
        for word in (HOSTILE, b"--" + HOSTILE):
            status, _, err = self.run_bytes(word)
            self.assertEqual(status, 2)
            self.assertIn(shown(word), err)

    def test_of_options(self):
        for words in (
            ("run", "--heap", HOSTILE, "--", "true"),
            ("run", "--backend", HOSTILE, "--", "true"),
            ("run", "--backend", b"./" + HOSTILE, "--", "true"),
            ("run", "--protocol", HOSTILE, "--", "true"),
            ("run", "-o", HOSTILE, "--", "true"),
            ("run", "-o", b"decay=" + HOSTILE, "--", "true"),
            ("run", b"--stats=none/" + HOSTILE, "--", "true"),
            ("run", "--", HOSTILE),
            ("trace", "-o", b"none/" + HOSTILE, "--", "true"),
            ("trace", "--show", HOSTILE),
            ("trace", "--export", "text", HOSTILE, "-o", "-"),
            ("trace", "--import", "rep", HOSTILE, "-o", "t.mtr"),
            ("simulate", HOSTILE),
            ("stats", HOSTILE),
            ("explain", HOSTILE),
            ("report", HOSTILE),
            ("check", "--", HOSTILE),
            ("bench", "--allocators", HOSTILE, "--", "true"),
            ("bench", "--suite", HOSTILE),
            ("study", HOSTILE),
            ("resolve", HOSTILE),
        ):
            status, _, err = self.run_bytes(*words)
            self.assertNotEqual(status, 0, words)
            self.assertIn("\\x1b", err, words)

    def test_completed(self):
        (self.folder / HOSTILE.decode(errors="surrogateescape")).touch()
        (self.folder / "harmless").touch()
        self.assertEqual(self.run_bytes("complete", "--", "simulate", "")[1], "harmless\n")


class Files(HostileLab):
    def setUp(self):
        super().setUp()
        self.name = HOSTILE.decode(errors="surrogateescape")

    def test_that_are_none_of_theirs(self):
        (self.folder / self.name).write_bytes(HOSTILE)
        for words in (("trace", "--show"), ("simulate",), ("report",), ("bench", "--suite")):
            _, _, err = self.run_bytes(*words, HOSTILE)
            self.assertIn(shown(HOSTILE), err, words)

    def test_configuration(self):
        for text in (b'"\\u001b[31m" = 1', b'[options]\n"\\u001b[31m\\u202e" = 1', b'[options]\ndecay = "\\u001b[31m\\n"', HOSTILE):
            (self.folder / "mmt.toml").write_bytes(text)
            for verb in ("run", "doctor", "bench"):
                self.run_bytes(verb, *(() if verb == "doctor" else ("--", "true")))

    def test_suite(self):
        names = HOSTILE.decode(errors="replace")
        suite = {"schema": 1, "name": names, "programs": [{"name": names, "command": ["true", names]}]}
        (self.folder / "suite.json").write_text(json.dumps(suite))
        _, out, _ = self.run_bytes("bench", "--suite", "suite.json", "--list")
        self.assertIn("\\x1b", out)
        (self.folder / "suite.json").write_text(json.dumps(suite | {names: 1}))
        self.run_bytes("bench", "--suite", "suite.json", "--list")


class Variables(HostileLab):
    def test_of_the_library(self):
        for name, value in (("MMT_DECAY", HOSTILE), ("MMT_SERVER", b"\x1b[31m"), ("MMT_OPTIONS", HOSTILE), ("MMT_STATS", b"/none/" + HOSTILE)):
            done = subprocess.run(
                ["/bin/true"], env={"LD_PRELOAD": library(), name: value}, capture_output=True, check=False
            )
            self.assert_harmless(done.stderr, name)
            self.assertIn(b"\\x1b", done.stderr, name)
            self.run_bytes("doctor", **{name: value})

    def test_statistics_of_a_program(self):
        program = self.hostile_program()
        for path in ("-", "figures.json"):
            done = subprocess.run(
                [program], env={"LD_PRELOAD": library(), "MMT_STATS": path}, cwd=self.folder, capture_output=True, check=True
            )
            self.assert_harmless(done.stderr, path)
        self.assertIn(shown(HOSTILE).encode(), done.stderr or subprocess.run(
            [program], env={"LD_PRELOAD": library(), "MMT_STATS": "-"}, capture_output=True, check=True).stderr)
        told = (self.folder / "figures.json").read_bytes()
        self.assert_harmless(told, "figures.json")
        self.assertEqual(json.loads(told)["program"], HOSTILE.decode(errors="replace"))


class Programs(HostileLab):
    def start(self, *command):
        """The process id of a program that waits."""
        process = subprocess.Popen(command, env=clean_environment(), stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.stdout.readline()
        return str(process.pid)

    def test_of_a_run(self):
        program = self.hostile_program()
        for target in ("--stats", "--stats=full", "--stats=text", "--stats=figures.json"):
            status, _, err = self.run_bytes("run", target, "--", program)
            self.assertEqual(status, 0, err)
        self.assert_harmless((self.folder / "text").read_bytes(), "text")
        told = (self.folder / "figures.json").read_bytes()
        self.assert_harmless(told, "figures.json")
        self.assertEqual(json.loads(told)["program"], HOSTILE_COMM.decode(errors="replace"))

    def test_that_run(self):
        program = self.hostile_program(WAITING)
        process = self.start(os.path.abspath(MMT), "run", "--", program)
        for words in ((), ("--json",), (process,), (process, "--full"), (process, "--json")):
            _, out, _ = self.run_bytes("stats", *words)
            self.assertIn("\\u001b[31m\\nmmt" if "--json" in words else shown(HOSTILE_COMM), out, words)

    def test_without_statistics(self):
        """What is said of them quotes them, too."""
        program = self.hostile_program(WAITING)
        status, _, err = self.run_bytes("stats", self.start(program))
        self.assertEqual(status, 1)
        self.assertIn(shown(HOSTILE_COMM), err)

    def test_of_a_trace(self):
        program = self.hostile_program("#include <stdlib.h>\nint main(void) { free(malloc(99)); return 0; }")
        status, _, err = self.run_bytes("trace", "--sites", "-o", "t.mtr", "--", program)
        self.assertEqual(status, 0, err)
        _, out, _ = self.run_bytes("trace", "--show", "t.mtr")
        self.assertIn("\\x1b", out)
        self.run_bytes("trace", "--export", "text", "t.mtr", "-o", "-")

    def test_that_are_checked(self):
        program = self.hostile_program("int main(void) { return 3; }")
        status, _, err = self.run_bytes("check", "--runs", "1", "-q", "--", program)
        self.assertEqual(status, 1)
        self.assertIn("\\x1b", err)

    def test_that_are_compared(self):
        program = self.hostile_program()
        words = ("bench", "-q", "--runs", "1", "--allocators", "glibc,mmt", "--json", "b.json", "--csv", "b.csv", "--markdown", "b.md")
        status, out, err = self.run_bytes(*words, "--", program, HOSTILE)
        self.assertEqual(status, 0, err)
        self.assertIn("\\x1b", out)
        for name in ("b.json", "b.md"):
            self.assert_harmless((self.folder / name).read_bytes(), name)
        self.assert_harmless((self.folder / "b.csv").read_bytes(), "b.csv")
        self.assertIn("\x1b", json.loads((self.folder / "b.json").read_text())["programs"][0]["name"])
        self.assertEqual(self.run_bytes("report", "b.json", "--output", "r.html")[0], 0)
        page = (self.folder / "r.html").read_text(encoding="utf-8")
        self.assertNotIn("<script>[bold]", page)
        self.assertIn("&lt;script&gt;[bold]", page)


class Sanitizers(HostileLab):
    def test_program_that_is_run_without_us(self):
        plain = self.compile("plain", "int main(void) { return 0; }", "-fsanitize=address")
        program = bytes(self.folder) + b"/" + HOSTILE
        os.rename(plain, program)
        done = subprocess.run([program], env={"LD_PRELOAD": library()}, capture_output=True, check=False)
        self.assert_harmless(done.stderr, "sanitizer")
        self.assertIn(b"\\x1b", done.stderr)


if __name__ == "__main__":
    main()
