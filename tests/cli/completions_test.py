"""Completions: what `mmt complete` answers, and that each shell offers it."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import time

from support import MMT, Lab, clean_environment, main, mmt, verbs

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "completions"
BASH = """
source {script}
COMP_LINE={line} COMP_POINT={point}
COMP_WORDS=({words}) COMP_CWORD={last}
_mmt 2>/dev/null
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def complete(*words):
    done = mmt("complete", "--", *words)
    assert (done.status, done.err) == (0, ""), done
    return done.out.splitlines()


class Answers(Lab):
    def test_verbs_and_their_options(self):
        self.assertEqual(complete("l"), ["list"])
        self.assertEqual(complete(""), verbs())
        for hidden in ("probe", "complete", "resolve", "measure"):
            self.assertNotIn(hidden, complete(""))
        self.assertEqual(complete("run", "--he"), ["--help", "--heap"])
        self.assertEqual(complete("--v"), ["--version"])
        self.assertEqual(complete("nonsense", ""), [])

    def test_names(self):
        self.assertEqual(complete("run", "--heap", "k"), ["kingsley", "kingsley-coalescing"])
        self.assertEqual(complete("run", "--heap=le"), ["--heap=lea"])
        self.assertEqual(complete("run", "--protocol", "s"), ["sync"])
        self.assertTrue({"native", "glibc", "lea"} <= set(complete("run", "--backend", "")))
        for option in ("--huge-pages", "--huge_pages", "--server"):
            self.assertEqual(complete("run", option, ""), ["auto", "on", "off"])
        self.assertIn("huge_pages=", complete("run", "-o", "huge"))
        self.assertEqual(complete("run", "-o", "server="), ["server=auto", "server=on", "server=off"])
        self.assertEqual(complete("list", "h"), ["heaps"])

    def test_files(self):
        (self.folder / "libx.so").touch()
        self.assertEqual(complete("run", "--backend", f"{self.folder}/li"), [f"{self.folder}/libx.so"])
        self.assertEqual(complete("run", "--", "cat", f"{self.folder}/li"), [f"{self.folder}/libx.so"])

    def test_programs_with_and_without_the_marker(self):
        for before in (["run"], ["run", "--"], ["run", "--heap", "lea"], ["run", "-q", "--"]):
            self.assertIn("sort", complete(*before, "sor"))
        program = self.folder / "program"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        (self.folder / "program.txt").touch()
        self.assertEqual(complete("run", f"{self.folder}/prog"), [str(program)])
        self.assertEqual(complete("list", "--", ""), [])

    def test_what_the_laboratory_takes(self):
        self.assertEqual(complete("bench", "gro"), ["growth"])
        self.assertEqual(complete("bench", "growth", "--only", "ma"), ["maps"])
        self.assertEqual(complete("bench", "growth", "--only", "tree,ma"), ["tree,maps"])
        self.assertEqual(complete("bench", "--allocators", "mmt,gl"), ["mmt,glibc"])
        self.assertEqual(complete("bench", "--allocators", "lea+sy"), ["lea+sync"])
        self.assertEqual(complete("bench", "--backend", "ph"), ["phk"])
        self.assertEqual(complete("bench", "--js"), ["--json"])
        self.assertIn("sort", complete("check", "--", "sor"))
        self.assertIn("sort", complete("check", "sor"))
        self.assertIn("sort", complete("check", "--budget", "8", "sor"))
        self.assertEqual(complete("check", "--budg"), ["--budget"])
        self.assertIn("heap-layers", complete("study", ""))
        self.assertIn("figure-1", complete("study", "heap-layers", "--only", "fig"))
        (self.folder / "result").mkdir()
        self.assertEqual(complete("report", f"{self.folder}/res"), [f"{self.folder}/result/"])

    def test_processes_under_mmt(self):
        plain = subprocess.Popen(["sleep", "60"])
        served = subprocess.Popen([os.path.abspath(MMT), "run", "--", "sleep", "60"], env=clean_environment())
        try:
            for _ in range(200):
                if str(served.pid) in complete("stats", ""):
                    break
                time.sleep(0.05)
            found = complete("stats", "")
            self.assertIn(str(served.pid), found)
            self.assertNotIn(str(plain.pid), found)
        finally:
            for one in (plain, served):
                one.kill()
                one.wait()


class Shells(Lab):
    def setUp(self):
        super().setUp()
        self.path = f"{os.path.dirname(os.path.abspath(MMT))}:{os.environ['PATH']}"

    def run_shell(self, *words):
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
            env=clean_environment(PATH=self.path, HOME=self.folder, TERM="dumb"), cwd=self.folder,
        )  # fmt: skip
        return done.stdout.split()

    def bash(self, line, words):
        script = BASH.format(script=FOLDER / "mmt.bash", line=shlex.quote(line), point=len(line),
                             words=" ".join(map(shlex.quote, words)), last=len(words) - 1)  # fmt: skip
        return self.run_shell("bash", "--norc", "-c", script)

    def test_bash(self):
        self.assertEqual(self.bash("mmt run --heap k", ["mmt", "run", "--heap", "k"]), ["kingsley", "kingsley-coalescing"])
        self.assertEqual(self.bash("mmt run --server ", ["mmt", "run", "--server", ""]), ["auto", "on", "off"])
        self.assertIn("sort", self.bash("mmt run -- sor", ["mmt", "run", "--", "sor"]))
        # What the shell would take apart is quoted, unless it stands in quotes already.
        for name in ("two words", "it's"):
            (self.folder / name).mkdir()
            (self.folder / name / "x y").touch()
        self.assertEqual(self.bash("mmt run cat two", ["mmt", "run", "cat", "two"]), ["two\\", "words/"])
        self.assertEqual(self.bash("mmt run cat two\\ words/", ["mmt", "run", "cat", "two\\ words/"]), ["two\\", "words/x\\", "y"])
        self.assertEqual(self.bash("mmt run cat it\\'", ["mmt", "run", "cat", "it\\'"]), ["it\\'s/"])
        self.assertEqual(self.bash('mmt run cat "two', ["mmt", "run", "cat", '"two']), ["two", "words/"])
        self.assertEqual(self.bash("mmt bench --allocators mmt,gl", ["mmt", "bench", "--allocators", "mmt,gl"]), ["mmt,glibc"])
        # Bash takes '=' for a word of its own.
        self.assertEqual(self.bash("mmt run --heap=le", ["mmt", "run", "--heap", "=", "le"]), ["lea"])
        self.assertEqual(self.bash("mmt run --server=", ["mmt", "run", "--server", "="]), ["auto", "on", "off"])

    def test_fish(self):
        if not shutil.which("fish"):
            self.skipTest("no fish")
        for line, wanted in (("mmt run --heap kings", "kingsley"), ("mmt li", "list"), ("mmt run -- sor", "sort"),
                             ("mmt run --server ", "off")):  # fmt: skip
            out = self.run_shell("fish", "--no-config", "-c", f"source {FOLDER}/mmt.fish; complete -C '{line}'")
            self.assertIn(wanted, out, line)

    def test_zsh(self):
        if not shutil.which("zsh"):
            self.skipTest("no zsh")
        # Completion itself wants a terminal: here compadd and its variables are the test's.
        for words, wanted in ((["mmt", "run", "--heap", "kings"], "kingsley"), (["mmt", "run", "--", "sor"], "sort"),
                              (["mmt", "run", "--server", ""], "off")):  # fmt: skip
            script = (
                'compadd() { [[ $1 == -S ]] && shift 2; shift; print -l -- "$@" }; '
                f"words=({' '.join(repr(one) for one in words)}); CURRENT={len(words)}; PREFIX={words[-1]!r}; "
                f"_mmt() {{ source {FOLDER}/_mmt }}; _mmt"
            )
            self.assertIn(wanted, self.run_shell("zsh", "-f", "-c", script), words)


class Manual(Lab):
    def test_it_has_every_verb_and_option_of_the_help(self):
        text = mmt("manual").out.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")
        for verb in verbs():
            self.assertIn(f".SH \"MMT {verb.upper()}\"", text)
            for line in mmt(verb, "--help").out.splitlines():
                if line.startswith("  -"):
                    self.assertIn(re.split(r"[ ,=[]", line.strip())[0], text)

    def test_its_synopsis_is_the_usage_of_the_help(self):
        text = mmt("manual").out.replace("\\-", "-")
        synopsis = text.split(".SH SYNOPSIS\n.nf\n")[1].split(".fi")[0].splitlines()
        usages = []
        for verb in verbs():
            usage = mmt(verb, "--help").out.split("\n\n")[0].removeprefix("Usage:")
            usages += [line.strip() for line in usage.splitlines()]
        self.assertEqual(synopsis, usages)
        self.assertIn("mmt check [options] -- program [arguments]", synopsis)

    def test_it_has_every_heap_and_protocol(self):
        text = mmt("manual").out.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")
        for kind in ("heaps", "protocols"):
            section = text.split(f".SH {kind.upper()}\n")[1].split(".SH ")[0]
            for item in json.loads(mmt("list", kind, "--json").out)[kind]:
                self.assertIn(f".TP\n{item['name']}\n", section)


if __name__ == "__main__":
    main()
