#!/usr/bin/env python3
"""The parser and the C front end on small input, and on wrong input. Every variant gives the same
answers, which are checked by other means (link_oracle.py; the C compiler).

Usage: parser_cfront_small.py [--preload LIBRARY] FOLDER, the folder of the built workloads.
"""

import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from link_oracle import Dictionary, count_linkages

FOLDER = pathlib.Path(sys.argv.pop()) / "classic"
PRELOAD = ""
if "--preload" in sys.argv:
    place = sys.argv.index("--preload")
    PRELOAD = sys.argv[place + 1]
    del sys.argv[place : place + 2]
PARSERS = [f"parser_{name}" for name in
           ("monolithic", "inlined", "system", "layered", "layered_functions")]
FRONTS = [f"cfront_{name}" for name in
          ("macros", "functions", "inline_c", "layered", "layered_freelist")]
PRINT = "#include <stdio.h>\nvoid print(long number) { printf(\"%ld\\n\", number); }\n"


def run(program, *words, **environment):
    environment = os.environ | environment
    if PRELOAD:
        environment["LD_PRELOAD"] = PRELOAD
    return subprocess.run([str(FOLDER / program), *map(str, words)], env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100,
                          check=False)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def answer(self, program, *words, **environment):
        """What a program prints that must succeed, but for its own line of measurements."""
        result = run(program, *words, **environment)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stderr, "")
        return "".join(line for line in result.stdout.splitlines(keepends=True)
                       if not line.startswith(f"{program}: "))

    def same(self, programs, *words):
        """The one answer of all variants."""
        answers = {program: self.answer(program, *words) for program in programs}
        self.assertEqual(len(set(answers.values())), 1, answers)
        return answers[programs[0]]

    def refused(self, program, *words, says, status=2, **environment):
        result = run(program, *words, **environment)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        self.assertIn(says, result.stderr)
        self.assertTrue(result.stderr.startswith(program), result.stderr)

    def file(self, text, name="file"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def copy_of_data(self, name):
        shutil.copytree(FOLDER / "data" / name, self.folder / name)
        return self.folder / name


class Parser(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.data = FOLDER / "data" / "parser"
        cls.dictionary = Dictionary((cls.data / "english.dict").read_text(encoding="utf-8"))

    def check(self, answer, least):
        """Every line `linkages | sentence | links` against the oracle."""
        lines = [line.split(" | ") for line in answer.splitlines() if " | " in line]
        self.assertGreaterEqual(len(lines), least)
        for linkages, sentence, links in lines:
            with self.subTest(sentence):
                self.assertEqual(int(linkages), count_linkages(self.dictionary, sentence))
                # One tree at least: as many links as words that are not the wall.
                words = len(re.findall(r"[.,?]|[^\s.,?]+", sentence))
                self.assertTrue(links.count("(") >= words if int(linkages) else not links, links)

    def test_variants(self):
        self.check(self.same(PARSERS, "--small", "--print"), 20)

    def test_known_answers(self):
        for line in (self.data / "known.txt").read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                linkages, sentence, _links = line.split(" | ")
                with self.subTest(sentence):
                    self.assertEqual(int(linkages), count_linkages(self.dictionary, sentence))

    def test_random_sentences(self):
        # Some are English, most are nearly so.
        slots = (["the", "the", "a", "two"], ["old", "very", "very old", ""],
                 ["dog", "cats", "fish"], ["that", "and John", "with a dog", "", ""],
                 ["chased", "sees", "was not", "often saw", "saw and heard"],
                 ["the cat", "them", "a telescope", "seen", "to run"],
                 ["in the park", "with the telescope near the river", "because they ran", "that", ""])
        chance = random.Random(5)
        sentences = "".join(" ".join(filter(None, map(chance.choice, slots))) + "\n" for _ in range(200))
        path = self.file(sentences)
        answer = self.same(PARSERS, "--sentences", path, "--rounds", 1, "--print")
        self.check(answer, 200)
        found = [int(line.split(" | ")[0]) for line in answer.splitlines() if " | " in line]
        self.assertTrue(20 < sum(count > 0 for count in found) < 180, found)
        self.assertGreater(max(found), 2)

    def test_links_once_and_often(self):
        dictionary = self.file("# Own words.\n<many> = @M+;\nWALL: W+;\nx: W- & {<many>} & {[N+]};\n"
                               "y: M- | Na-; z.one: N*-;\n")
        for sentence, links in (("x y", "(WALL W x) (x M y)"), ("x y y", None), ("x z", None),
                                ("x y z", "(WALL W x) (x M y) (x N z.one)")):
            answer = self.same(PARSERS, "--dictionary", dictionary, "--sentence", sentence,
                               "--rounds", 1, "--print").splitlines()[0].split(" | ")
            expected = count_linkages(Dictionary(dictionary.read_text()), sentence)
            self.assertEqual(int(answer[0]), expected, answer)
            if links:
                self.assertEqual(answer[2], links)

    def test_same_requests(self):
        audits = {self.answer(f"audit/{program}_audit", "--small").splitlines()[-1]
                  for program in PARSERS}
        self.assertEqual(len(audits), 1, audits)
        numbers = re.fullmatch(r"audit: objects (\d+) bytes (\d+) frees (\d+) sequence \w+",
                               audits.pop())
        objects, size, frees = (int(number) for number in numbers.groups())
        self.assertTrue(10_000 < frees <= objects < size, numbers)

    def test_wrong_answer(self):
        data = self.copy_of_data("parser")
        known = (data / "known.txt").read_text(encoding="utf-8")
        for before, after in (("\n1 | The dog chased", "\n2 | The dog chased"),
                              ("(a Ds cat.n)", "(a D cat.n)")):
            self.assertIn(before, known)
            (data / "known.txt").write_text(known.replace(before, after, 1), encoding="utf-8")
            self.refused("parser_inlined", "--small", "--data", data, status=1,
                         says="wrong: 'The dog chased a cat .'")
        (data / "known.txt").write_text("one | the dog | \n", encoding="utf-8")
        self.refused("parser_inlined", "--data", data, says="not 'linkages | sentence | links'")

    def test_bad_dictionary(self):
        for text, says in (("x: A+ & ;", "1: no connector: "), ("x:\n\nA+ B- ;", "3: expected ;"),
                           ("x: A+; y: <z>;", "1: not defined: z"), ("x: A;", "1: no connector: A"),
                           ("x: aB+;", "1: no connector: aB+"), ("x: Aa1+;", "1: no connector"),
                           ("x: A+;\nx: B+;", "2: a word twice: x"), ("# nothing\n", "no words"),
                           ("<a> = A+; <a> = B+;", "defined twice: a"), ("x: {A+;", "expected }"),
                           ("x: " + "(" * 200, "brackets too deep"), ("x y", "expected a word")):
            with self.subTest(text):
                self.refused("parser_inlined", "--dictionary", self.file(text, "d"), says=f"d:{says}"
                             if says[0].isdigit() else says)

    def test_bad_sentences(self):
        self.refused("parser_inlined", "--sentence", "the dgo barked", says="not in the dictionary: 'dgo'")
        self.refused("parser_inlined", "--sentence", "dog " * 200, says="a sentence of more than")
        self.refused("parser_inlined", "--sentence", "x" * 5000, says="not in the dictionary: 'xxx")
        self.refused("parser_inlined", "--sentences", self.folder / "none", says="cannot read")
        self.refused("parser_inlined", "--sentences", self.file("# none\n"), says="cannot read")
        self.refused("parser_inlined", "--data", self.folder, says="cannot read")
        self.refused("parser_inlined", "--sentences", self.folder, says="cannot read")
        self.refused("parser_inlined", "--dictionary", self.folder, says="cannot read")
        self.refused("parser_inlined", "--rounds", "many", says="is not a number")
        self.refused("parser_system", "--no", says="unknown argument '--no'")


class Front(ProgramTest):
    def test_variants(self):
        answer = self.same(FRONTS, "--small")
        self.assertRegex(answer, r"^functions 21 symbols \d+ instructions \d+ in frame \d+ checksum ")

    def test_answers(self):
        """What is compiled does what the C compiler makes of the same source."""
        answers = FOLDER / "data" / "cfront" / "answers.c.txt"
        generated = self.folder / "generated.c"
        for seed in range(3):
            self.answer("cfront_generate", "--seed", seed, "--functions", 30, "--output", generated)
            expected = self.compiled(generated)
            self.assertGreater(len(expected.stdout.splitlines()), 3)
            for program in FRONTS:
                result = run(program, "--run", "--source", generated)
                self.assertEqual((result.returncode, result.stdout), (0, expected.stdout), result.stderr)
        self.assertEqual(self.compiled(answers).returncode, 0)
        for program in FRONTS:
            self.assertEqual(run(program, "--run", "--source", answers).returncode, 0)

    def compiled(self, source):
        program = self.folder / "program"
        subprocess.run(["gcc", "-w", "-fwrapv", "-O1", "-o", program, "-x", "c", source,
                        self.file(PRINT, "print.c")], check=True, capture_output=True, timeout=100)
        return subprocess.run([program], capture_output=True, text=True, timeout=100, check=False)

    def test_generator_repeats_itself(self):
        texts = []
        for name, seed in (("a", 7), ("b", 7), ("c", 8)):
            self.answer("cfront_generate", "--seed", seed, "--functions", 5, "--output", self.folder / name)
            texts.append((self.folder / name).read_text())
        self.assertEqual(texts[0], texts[1])
        self.assertNotEqual(texts[0], texts[2])
        self.refused("cfront_generate", says="wants --output")
        result = run("cfront_generate", "--output", self.folder / "no" / "file")
        self.assertEqual(result.returncode, 1, result.stderr)

    def test_packed_sources(self):
        plain, packed = self.folder / "plain.c", self.folder / "packed.c.zst"
        for path in (plain, packed):
            self.answer("cfront_generate", "--functions", 40, "--output", path)
        self.assertLess(4 * packed.stat().st_size, plain.stat().st_size)
        told = [self.answer("cfront_macros", "--source", path) for path in (plain, packed)]
        self.assertEqual(*told)
        whole = packed.read_bytes()
        for name, part in (("cut.zst", whole[:-20]), ("plain.zst", plain.read_bytes()), ("empty.zst", b"")):
            (self.folder / name).write_bytes(part)
            self.refused("cfront_macros", "--source", self.folder / name, says=name)

    def test_report(self):
        for program, keys in (("cfront_macros", {"parse_s", "total_s"}), ("parser_layered", {"total_s"})):
            report = self.folder / program
            self.answer(program, "--small", MMT_BENCH_REPORT=str(report))
            lines = [line.split(" ") for line in report.read_text().splitlines()]
            self.assertLessEqual(keys, {key for key, _value, unit in lines if unit == "s"})

    def test_wrong_answer(self):
        data = self.copy_of_data("cfront")
        answers = (data / "answers.c.txt").read_text(encoding="utf-8")
        self.assertIn("fibonacci(20), 6765", answers)
        (data / "answers.c.txt").write_text(answers.replace("(20), 6765", "(20), 6766"), encoding="utf-8")
        for program in FRONTS:
            self.refused(program, "--small", "--data", data, status=1, says="answer 15 of answers.c.txt")

    def test_bad_source(self):
        for text, says in (
            ("int f(void) {\n  return x;\n}", "2: x is not declared"),
            ("int f(void) { return 1 }", "expected ';'"),
            ("int a;\nint a[2];", "2: a is declared as something else"),
            ("int f(int a, int a) { return a; }", "a is declared twice"),
            ("int f(int* p) { return p * 2; }", "an operand is no number"),
            ("int f(void) { 3 = 4; }", "nothing can be assigned to that"),
            ("int f(int a) { return f(a, a); }", "too many arguments for f"),
            ("struct s { int a; };\nint f(struct s* p) { return p->b; }", "2: there is no field b"),
            ("int f(void) { break; }", "outside of a loop"),
            ("int f(int a) { switch (a) { case 1: case 1:; } return 0; }", "the same case twice"),
            ("#define A 1\n#define A 2\n", "2: the macro A is defined twice"),
            ("#define A(x) x\nint a = A(1, 2);", "wants 1 arguments and has 2"),
            ("#ifdef A\nint a;", "a condition without #endif"),
            ("#endif\n", "#endif without a condition"),
            ("#include <stdio.h>\n", "an unknown directive: include"),
            ("/* no end", "a comment without an end"),
            ('char* a = "no end;\n";', "a literal without an end"),
            ("int a = 09;", "a number that ends in '9'"),
            ("int a = 1 / 0;", "no constant"),
            ("long f(long a) { return " + "(" * 5000 + "a", "brackets that are too deep"),
            ("long f(long a) { return " + "a + " * 5000 + "a; }", "too deep"),
            ("int a[1000000000];", "an array of"),
            ("int f(void) { return 1; } int f(void) { return 2; }", "f is defined twice"),
        ):
            with self.subTest(says):
                path = self.file(text, "bad.c")
                program = random.Random(text).choice(FRONTS)
                self.refused(program, "--source", path, says=f"{path}:")
                self.refused(program, "--source", path, says=says)

    def test_bad_program(self):
        """What compiles, and goes wrong when it is run."""
        for text, says, status in (
            ("int main(void) { int* p = 0; return *p; }", "the program reaches for address 0", 1),
            ("int main(void) { int a = 0; return 1 / a; }", "the program divides by zero", 1),
            ("int main(void) { return main(); }", "the program calls too deep", 1),
            ("int f(void) { return 0; }", "there is no main to run", 2),
        ):
            with self.subTest(says):
                path = self.file(text, "bad.c")
                self.refused("cfront_inline_c", "--run", "--source", path, says=says, status=status)

    def test_bad_input(self):
        self.refused("cfront_macros", "--source", self.folder / "none", says="cannot read")
        self.refused("cfront_macros", "--source", self.folder, says="cannot read")
        self.refused("cfront_macros", "--data", self.folder, says="cannot read")
        self.refused("cfront_layered", "--rounds", "x", says="is not a number")
        self.refused("cfront_layered", "--sorce", "x", says="unknown argument '--sorce'")
        binary = self.folder / "binary"
        binary.write_bytes(b"int a;\0int b;")
        self.refused("cfront_functions", "--source", binary, says="is no text")


class Copied(ProgramTest):
    def test_finds_its_data_anywhere(self):
        for program, data in (("parser_system", "parser"), ("cfront_macros", "cfront")):
            shutil.copy(FOLDER / program, self.folder)
            result = subprocess.run([self.folder / program, "--small"], capture_output=True, text=True,
                                    timeout=100, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertIn("cannot read", result.stderr)
            shutil.copytree(FOLDER / "data" / data, self.folder / "data" / data)
            subprocess.run([self.folder / program, "--small"], check=True, capture_output=True, timeout=100)

    def test_help(self):
        for program in (*PARSERS, *FRONTS, "cfront_generate"):
            result = run(program, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn(f"usage: {program}\n  --", result.stdout)


if __name__ == "__main__":
    unittest.main()
