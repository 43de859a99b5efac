"""The manners that all verbs have: wrong words, spellings of options, help."""

import re

from support import Lab, clean_environment, mmt, verbs
from support import main as run_tests



class WrongWords(Lab):
    def test_what_may_be_meant_is_said(self):
        for line, status, meant in (
            ("rum -- true", 2, "run"),
            ("sttas 1", 2, "stats"),
            ("--halp", 2, "--help"),
            ("stats --jsn 1", 2, "--json"),
            ("run --hugepages off -- true", 125, "--huge-pages"),
            ("run --heap kingsly -- true", 125, "kingsley"),
            ("run --backend haord -- true", 125, "hoard"),
            ("run --heap jemalloc -- true", 125, "--backend jemalloc"),
            ("run --protocol snyc -- true", 125, "sync"),
            ("run --protocol recycle-shared:dpth=5 -- true", 125, "depth"),
            ("run -o huge_pagse=off -- true", 125, "huge_pages"),
            ("run --server atuo -- true", 125, "auto"),
            ("list porotcols", 2, "protocols"),
        ):
            self.assert_fails(mmt(*line.split()), status, f"did you mean '{meant}'?")

    def test_what_one_verb_has_and_another_has_not(self):
        self.assert_fails(mmt("run", "--heap", "mmt", "--", "true"), 125, "no heap 'mmt'; did you mean 'native', MMT's own?")
        done = mmt("run", "--backend", "glibc+mmt", "--", "true")
        self.assert_fails(done, 125, "did you mean '--backend glibc --protocol mmt'?")
        done = mmt("trace", "export", "x.mtr", cwd=self.folder)
        self.assert_fails(done, 127, "no program 'export'; did you mean '--export'? See 'mmt trace --help'")
        for verb in ("bench", "study"):
            self.assert_fails(mmt(verb, "list"), 2, "'list'; did you mean '--list'?")

    def test_one_letter_is_not_near_another(self):
        self.assertNotIn("did you mean", mmt("run", "-n", "3", "--", "true").err)
        self.assertIn("did you mean '-q'?", mmt("run", "-Q", "--", "true").err)

    def test_what_is_near_nothing_gets_no_suggestion(self):
        for line in ("nonsense", "doctor --nonsense", "run --heap nonsense -- true", "--nonsense"):
            done = mmt(*line.split())
            self.assertNotEqual(done.status, 0)
            self.assertIn("nonsense", done.err)
            self.assertNotIn("did you mean", done.err)

    def test_a_program_in_the_place_of_a_verb(self):
        self.assert_fails(mmt("sh", "-c", "exit 3"), 2, "'sh'; did you mean 'mmt run -- sh'?")
        program = self.folder / "mine"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        self.assert_fails(mmt("./mine", cwd=self.folder), 2, "did you mean 'mmt run -- ./mine'?")
        program.chmod(0o644)
        self.assertNotIn("did you mean", mmt("./mine", cwd=self.folder).err)
        self.assertIn("did you mean '--version'?", mmt("version").err)

    def test_options_of_mmt_itself(self):
        self.assert_fails(mmt("--halp"), 2, "unknown option '--halp'", "See 'mmt --help'")
        self.assert_fails(mmt("--", "ls"), 2, "no verb given", "mmt run --", "See 'mmt --help'")
        self.assert_fails(mmt("--run", "true"), 2, "unknown option '--run'; did you mean 'run'? See 'mmt run --help'")
        self.assertEqual(mmt("-V").out, mmt("--version").out)

    def test_an_option_before_its_verb(self):
        done = mmt("--stats", "run", "--", "true")
        self.assert_fails(done, 2, "unknown option '--stats'; it belongs behind 'run'", "'mmt run --help'")

    def test_what_kind_of_value_is_wanted(self):
        self.assert_fails(mmt("run", "--decay", "2h", "--", "true"), 125, "not a whole number (0..3600000 milliseconds)")
        self.assertEqual(mmt("run", "--decay", "2s", "--start", "4MiB", "--", "true").status, 0)
        self.assert_fails(mmt("run", "--drain", "x", "--", "true"), 125, "auto|on|off")
        self.assert_fails(mmt("stats", "leak"), 2, "'leak' is not a process id; 'mmt stats' lists them")

    def test_a_fraction_is_not_called_out_of_range(self):
        done = mmt("stats", "1.5")
        self.assert_fails(done, 2, "'1.5' is not a whole number")


class Spellings(Lab):
    def server_of(self, *options):
        done = mmt("run", *options, "--", "sh", "-c", "echo $MMT_SERVER $MMT_HUGE_PAGES")
        self.assertEqual((done.status, done.err), (0, ""), options)
        return done.out.strip()

    def test_what_pages_call_a_mode(self):
        for name in ("--mode", "--allocator"):
            for words in ([name, "glibc"], [f"{name}=glibc"]):
                done = mmt("run", *words, "--", "true")
                self.assert_fails(done, 125, f"'{name}'; did you mean '--heap', '--backend' or '--protocol'?")

    def test_both_are_taken(self):
        for options in (
            ["--huge_pages", "off"], ["--huge_pages=off"], ["--huge-pages", "off"],
            ["-o", "huge-pages=off"], ["-o", "huge_pages=off"],
        ):  # fmt: skip
            self.assertEqual(self.server_of(*options), "off")

    def test_those_of_the_program_stay(self):
        done = mmt("run", "--no_follow", "echo", "--no_follow", "--huge_pages")
        self.assertEqual((done.status, done.out), (0, "--no_follow --huge_pages\n"))

    def test_the_last_one_wins(self):
        self.assertEqual(self.server_of("--server", "on", "--server", "off"), "off")
        self.assertEqual(self.server_of("--server", "on", "-o", "server=off"), "off")
        self.assertEqual(self.server_of("-o", "server=on", "--server", "off"), "off")
        done = mmt("run", "--heap", "lea", "--heap", "native", "--", "true")
        self.assertEqual((done.status, done.err), (0, ""))

    def test_a_wrong_one_is_wrong_wherever_it_stands(self):
        self.assert_fails(mmt("run", "--server", "oof", "--server", "off", "--", "true"), 125, "'oof'")


class Help(Lab):
    def helps(self):
        self.assertLessEqual({"run", "bench", "help"}, set(verbs()))
        for verb in ((), *((one,) for one in verbs())):
            done = mmt(*verb, "--help")
            self.assertEqual((done.status, done.err), (0, ""))
            yield verb, done.out

    def test_usage_comes_first_and_examples_last(self):
        for verb, text in self.helps():
            self.assertTrue(text.startswith(" ".join(["Usage: mmt", *verb])), text)
            self.assertIn("\nExamples:\n  mmt ", text)

    def test_all_have_the_same_headings_and_signs(self):
        headings = {"Usage", "Verbs", "Operands", "Options", "Options of the library", "Examples"}
        for verb, text in self.helps():
            self.assertLessEqual(set(re.findall(r"(?m)^([A-Za-z][\w ]*):(?= mmt|$)", text)), headings, verb)
            self.assertIn("\nOptions:\n  -h, --help              Print this help\n", text)
            self.assertRegex(text, r"\n\n[A-Z][a-z]+ [^\n]", "what it does, after the usage")
            for operand in re.findall(r"(?m)^  (\S+)", text.split("Operands:")[-1].split("\n\n")[0]):
                if "\nOperands:\n" in text:
                    self.assertRegex(operand, r"^[A-Z|]+$")
            self.assertNotRegex(text, r"--[a-z-]+[ =][{(]")

    def test_help_behind_a_verb(self):
        for verb in verbs():
            if verb != "help":
                done = mmt(verb, "help", cwd=self.folder)
                self.assertEqual((done.status, done.out), (0, mmt(verb, "--help").out), verb)
        self.script("help", "")
        self.assertNotIn("Usage", mmt("simulate", "help", cwd=self.folder).out, "here it is a file")

    def test_help_is_a_verb_too(self):
        for verb, text in self.helps():
            done = mmt("help", *verb)
            self.assertEqual((done.status, done.out, done.err), (0, text, ""))
        self.assert_fails(mmt("help", "rum"), 2, "there is no verb 'rum'; did you mean 'run'?")
        self.assert_fails(mmt("help", "facts"), 2, "there is no verb 'facts'")
        self.assert_fails(mmt("help", "run", "list"), 2, "'list' is one word too many")
        self.assert_fails(mmt("help", "study", env=clean_environment(MMT_LAB="/no/lab")), 1, "/no/lab")

    def test_no_line_is_wider_than_80_columns(self):
        for _, text in self.helps():
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_the_first_examples_are_the_first_steps(self):
        examples = mmt("--help").out.split("\nExamples:\n")[1]
        self.assertEqual(
            re.findall(r"(?m)^  (mmt .*)", examples)[:2], ["mmt check -- PROGRAM", "mmt run -- PROGRAM"]
        )

    def test_units_are_said(self):
        text = mmt("run", "--help").out
        for words in ("--decay MS", "--start BYTES", "--drain auto|on|off", "--huge-pages auto|on|off", "[1000]"):
            self.assertIn(words, text)


if __name__ == "__main__":
    run_tests()
