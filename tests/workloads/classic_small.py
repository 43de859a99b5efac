#!/usr/bin/env python3
"""The classic programs on small input: their answers checked by other means, and wrong input.

Usage: classic_small.py [--preload LIBRARY] FOLDER, the folder of the built workloads.
"""

import itertools
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

from classic_oracles import Pla, first_point, is_prime, lagrange, solve, stack_distances

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "workloads" / "classic"
PERFECT = ROOT / "workloads" / "scripts" / "perfect.pl"
FOLDER = pathlib.Path(sys.argv.pop()) / "classic"
PRELOAD = ""
if "--preload" in sys.argv:
    place = sys.argv.index("--preload")
    PRELOAD = sys.argv[place + 1]
    del sys.argv[place : place + 2]
METRICS = {"cfrac": "factor", "deltablue": "chain", "espresso": "minimise", "lindsay": "simulate",
           "lrusim": "analyse", "mst": "span", "perimeter": "measure", "roboop": "follow",
           "treeadd": "walk"}


def run(program, *words, text=None, **environment):
    command = ["perl", str(PERFECT)] if program == "perl" else [str(FOLDER / program)]
    environment = os.environ | environment
    if PRELOAD:
        environment["LD_PRELOAD"] = PRELOAD
    return subprocess.run([*command, *map(str, words)], env=environment, input=text or "",
                          capture_output=True, text=True, timeout=100, check=False)


class ProgramTest(unittest.TestCase):
    def answer(self, program, *words, text=None):
        """What a program prints that must succeed."""
        result = run(program, *words, text=text)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def refused(self, program, *words, says, status=2, text=None, **environment):
        result = run(program, *words, text=text, **environment)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        self.assertIn(says, result.stderr)


class AllPrograms(ProgramTest):
    def test_report(self):
        for program, metric in METRICS.items():
            with tempfile.TemporaryDirectory() as folder, self.subTest(program):
                path = pathlib.Path(folder) / "report"
                result = run(program, "--small", MMT_BENCH_REPORT=str(path))
                self.assertEqual(result.returncode, 0, result.stderr)
                keys = {line.split(" ")[0] for line in path.read_text().splitlines()}
                self.assertIn(metric, keys)
                self.assertTrue(result.stdout.endswith(", ok\n"))
                plain = run(program, "--small", "--plain", MMT_BENCH_REPORT=str(path))
                self.assertTrue(result.stdout.startswith(plain.stdout))
                self.assertNotIn("ok", plain.stdout)

    def test_wrong_flags(self):
        for program in METRICS:
            with self.subTest(program):
                self.refused(program, "--smal", says=f"{program}: unknown argument '--smal'")
                self.assertIn("--small", self.answer(program, "--help"))

    def test_output_that_cannot_be_written(self):
        for program in METRICS:
            with self.subTest(program), open("/dev/full", "wb") as full:
                result = subprocess.run([FOLDER / program, "--small", "--plain"], stdout=full,
                                        stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"{program}: cannot write", result.stderr)
            self.refused(program, "--small", status=1, says="cannot write /nonexistent/report",
                         MMT_BENCH_REPORT="/nonexistent/report")


class Cfrac(ProgramTest):
    def check_factors(self, n, *flags):
        found = self.answer("cfrac", "--plain", *flags, *([f"--number={n}"] if n else []))
        number, factors = found.split(" = ")
        factors = [int(factor) for factor in factors.split(" * ")]
        self.assertEqual(math.prod(factors), int(number))
        self.assertEqual(factors, sorted(factors))
        for factor in factors:
            self.assertTrue(is_prime(factor), f"{factor} of {number}")
        if n:
            self.assertEqual(int(number), n)

    def test_small(self):
        self.check_factors(None, "--small")

    def test_numbers(self):
        special = [2, 3, 4, 97, 2**32 + 1, 2**64, 65537**2, 65537 * 65539, 65539**4, 10**30,
                   4294967291**3, 4294967291 * 4294967279, 2**61 - 1]
        rng = random.Random(1)
        for n in special + [rng.getrandbits(bits) + 2 for bits in range(30, 90, 3)]:
            self.check_factors(n)

    def test_tuning(self):
        n = 1000000007 * 10000000019
        for flags in (["--large-times=0"], ["--large-times=1000"], ["--factor-base=20"],
                      ["--factor-base=400", "--large-times=3"]):
            self.check_factors(n, *flags)

    def test_wrong_input(self):
        for number in ("", "12a", "-5", "1 2", "+7"):
            self.refused("cfrac", f"--number={number}", says=f"'{number}' is not a natural number")
        self.refused("cfrac", "--number=1", says="--number: must be above 1")
        self.refused("cfrac", "--number=" + 61 * "9", says="more than 60 digits")
        self.refused("cfrac", "--factor-base=1", says="--factor-base: 0, or 2 to 6000 primes")


def random_pla(rng):
    inputs, outputs = rng.randint(1, 7), rng.choice((1, 2, 3, 5, 70))
    kind = rng.choice(("f", "fd", "fr"))
    lines = [f".i {inputs}", f".o {outputs}", f".type {kind}"]
    if kind == "fr":  # Each point once: the sets do not meet.
        for point in itertools.product("01", repeat=inputs):
            if point[:1] == ("0",) or rng.random() < 0.6:
                lines.append("".join(point) + " " + "".join(rng.choices("~01-", k=outputs)))
    else:
        literals, ones = rng.random(), rng.choice((1, 3, 6))
        for _ in range(rng.randint(1, 30)):
            term = [rng.choice("01") if rng.random() < literals else rng.choice("-2")
                    for _ in range(inputs)]
            lines.append("".join(term) + "|" + "".join(rng.choices("0~-21111"[: 2 + ones], k=outputs)))
    return "\n".join([*lines, f".p {len(lines) - 3}", ".e", ""])


class Espresso(ProgramTest):
    def check_minimised(self, text):
        wanted, got = Pla(text), Pla(self.answer("espresso", "--plain", "--file=-", text=text))
        self.assertEqual((got.inputs, got.outputs), (wanted.inputs, wanted.outputs))
        may = wanted.dont_care()
        must = wanted.points("1") - may
        result = got.points("1")
        self.assertLessEqual(must, result, text)
        self.assertLessEqual(result, must | may | wanted.points("1"), text)
        for i, (inputs, outputs) in enumerate(got.rows):
            others = got.points("1", got.rows[:i] + got.rows[i + 1 :])
            self.assertFalse(must <= others, f"{inputs} {outputs} is redundant in\n{text}")
            for v in (v for v in range(got.inputs) if inputs[v] != "-"):
                larger = got.points("1", [(inputs[:v] + "-" + inputs[v + 1 :], outputs)])
                self.assertFalse(larger <= must | may, f"{inputs} {outputs} is not prime in\n{text}")
        return got

    def test_files(self):
        sizes = {"full_adder.pla": 7, "seven_segment.pla": 9, "compare.pla": 10}
        for name, size in sizes.items():
            text = (DATA / "espresso" / "data" / name).read_text()
            self.assertLessEqual(len(self.check_minimised(text).rows), size)
        output = self.answer("espresso", "--plain", f"--file={DATA}/espresso/data/full_adder.pla")
        self.assertIn(".ilb a b carry_in\n.ob sum carry\n", output)

    def test_random_functions(self):
        rng = random.Random(1)
        for _ in range(60):
            self.check_minimised(random_pla(rng))

    def test_extremes(self):
        self.assertEqual(len(self.check_minimised(".i 2\n.o 1\n-- 0\n.e").rows), 0)
        self.assertEqual(len(self.check_minimised(".i 2\n.o 2\n0- 11\n1- 11\n").rows), 1)
        self.assertEqual(len(self.check_minimised(".i 1\n.o 1\n0 1\n1 -\n").rows), 1)

    def test_wrong_input(self):
        wrong = {
            ".i 2\n.o 1\n01 1\n0x 1\n": "-:4: no input value: 'x'",
            ".i 2\n.o 1\n01 3\n": "-:3: no output value: '3'",
            ".i 2\n.o 1\n01\n": "the last term has too few columns",
            ".i 2\n.o 1\n01\n.e\n": "the last term has too few columns",
            ".i 2\n.o 1\n.p 2\n01 1\n.e": "-:5: .p gives another number of terms",
            "01 1\n": "-:1: a product term before .i and .o",
            ".i 2\n.o 0\n": "-:2: out of range: '0'",
            ".i two\n": "-:1: a number must follow '.i'",
            ".i 2\n.o 1\n.mv 3\n": "-:3: unknown keyword '.mv'",
            ".i 2\n.o 1\n.type pq\n": "-:3: .type is f, fd or fr, not 'pq'",
            ".i 2\n.o 1\n.ilb a b c\n01 1\n": "not one name for each column: '.ilb'",
            ".i 2\n.o 1\n01 1\n.i 3\n": "-:4: comes after the first product term: '.i'",
            ".i 2\n.o 1\n.type fr\n0- 1\n01 0\n": "a point is in the on- and the off-set",
            "": "there is no product term",
        }
        for text, says in wrong.items():
            self.refused("espresso", "--file=-", says=says, text=text)
        self.refused("espresso", "--file=/nonexistent", says="cannot read /nonexistent: No such")
        self.refused("espresso", "--inputs=0", says="--inputs: out of range")
        self.refused("espresso", "--ones=60", "--dont-cares=50", says="more than 100 of 100")


class Olden(ProgramTest):
    def test_perimeter_of_a_ring(self):
        """A ring's border is that of two discs: each as long as its bounding square's."""
        for levels in (3, 5, 8, 11):
            width = 2**levels
            centres = [2 * i + 1 - width for i in range(width)]
            radii = (width * 7 // 8) ** 2, (width * 3 // 8) ** 2
            rows = [{x for x in range(width) if radii[1] <= centres[x] ** 2 + y**2 <= radii[0]}
                    for y in centres] if levels <= 8 else None
            found = self.answer("perimeter", "--plain", f"--levels={levels}", "--walks=2", "--free")
            found = int(found.split()[1].rstrip(","))
            if rows is None:
                self.assertLess(abs(found - 4 * (width * 7 // 8 + width * 3 // 8)), 32)
                continue
            ends = sum((x - 1 not in row) + (x + 1 not in row) for row in rows for x in row)
            steps = sum(len(a ^ b) for a, b in zip([set(), *rows], [*rows, set()], strict=True))
            self.assertEqual(found, ends + steps)

    def test_mst(self):
        few = int(self.answer("mst", "--plain", "--vertices=2").split()[1])
        self.assertTrue(1 <= few <= 2048)
        many = int(self.answer("mst", "--plain", "--vertices=300", "--free").split()[1])
        self.assertTrue(299 <= many <= 299 * 2048)

    def test_treeadd(self):
        self.assertEqual(self.answer("treeadd", "--plain", "--levels=1"), "1 nodes\n")
        self.assertEqual(self.answer("treeadd", "--plain", "--levels=9", "--walks=3", "--free"),
                         "511 nodes\n")

    def test_wrong_input(self):
        self.refused("treeadd", "--levels=0", says="--levels: 1 to 34")
        self.refused("treeadd", "--levels=3", "--walks=0", says="--walks: at least one")
        self.refused("mst", "--vertices=1", says="--vertices: 2 to 1048576")
        self.refused("perimeter", "--levels=2", says="--levels: 3 to 24")


class Deltablue(ProgramTest):
    def test_chains_and_pairs(self):
        for count in (1, 2, 3, 100, 20000):
            self.answer("deltablue", "--plain", f"--constraints={count}", "--edits=3")

    def test_wrong_input(self):
        self.refused("deltablue", "--constraints=0", says="--constraints: 1 to")
        self.refused("deltablue", "--edits=0", says="--edits: 1 to 1000000")


class Lindsay(ProgramTest):
    def test_small(self):
        # The messages of the default script: 5 rounds of sum, total exchange, broadcast, ring.
        for d in (1, 2, 4):
            words = self.answer("lindsay", "--small", "--plain", f"--dimension={d}").split()
            nodes = 2**d
            self.assertEqual(int(words[0]), nodes)
            self.assertEqual(int(words[2]), 5 * (nodes * d + nodes * (nodes - 1) + nodes - 1 + 16 * nodes))
            exchanged = sum((a ^ b).bit_count() for a in range(nodes) for b in range(nodes))
            self.assertEqual(int(words[4]), 5 * (nodes * d + exchanged + nodes - 1 + 16 * nodes))

    def test_expressions_as_in_c(self):
        checks = ["7 / 2 == 3", "-7 / 2 == -3", "-7 % 2 == -1", "1 + 2 * 3 - 4 == 3",
                  "10 - 3 - 2 == 5", "1 << 3 >> 1 == 4", "(1 | 6 ^ 3 & 2) == 5", "!3 == 0",
                  "~5 == -6", "- -5 == 5", "1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 3 != 2",
                  "0 || 5", "!(0 && 1 / 0)", "1 || 1 / 0", "9223372036854775807 + 1 < 0"]
        script = "dimension 1\n" + "".join(f"check {text}\n" for text in checks)
        self.answer("lindsay", "--plain", "--script=-", text=script)
        for text in checks:
            self.refused("lindsay", "--script=-", status=1, says="-:2: the check fails on node 0",
                         text=f"dimension 1\ncheck !({text})\n")

    def test_contention(self):
        # Nodes 1 and 3 send 9 words each to 0; 3's way is over 1, whose own message goes first.
        script = ("dimension 2\nif node == 1 || node == 3\nsend 0, 9, node\nend\nif node == 0\n"
                  "receive a\ncheck a == 1\nreceive b from 3\ncheck b == 3 && length == 9\nend\n")
        output = self.answer("lindsay", "--plain", "--script=-", text=script)
        self.assertIn("4 nodes, 2 messages, 3 hops, 0 steps, time 20,", output)

    def test_wrong_input(self):
        wrong = {
            "repeat 3\nlet a = 1\n": "-:2: the block is not closed by 'end'",
            "end\n": "without a block: 'end'",
            "repeat 2\nelse\nend\n": "'else' without 'if'",
            "jump 3\n": "no such statement: 'jump'",
            "let node = 3\n": "cannot be set: 'node'",
            "let a = 3 +\n": "want an expression, not 'end of line'",
            "let a = (3\n": "want ')', not 'end of line'",
            "let a = 3 4\n": "unexpected '4'",
            "send 1, 2\n": "want ',', not 'end of line'",
            "receive a\n": "node 0 waits for ever",
            "if node\nbarrier\nend\n": "node 1 waits for ever",
            "send 0, 1, 1\n": "ends with 4 messages unread",
            "send nodes, 1, 1\n": "there is no such node",
            "send 0, 0, 1\n": "length is out of range",
            "let a = 1 % (node - node)\n": "a division by 0",
            "let a = 1 << 64\n": "a shift by less than 0",
            "compute -1\n": "steps are out of range",
            "let a = 99999999999999999999\n": "the number is too large",
        }
        for text, says in wrong.items():
            self.refused("lindsay", "--script=-", says=says, text="dimension 2\n" + text)
        self.refused("lindsay", "--script=-", "--statements=1000", says="the script does not end",
                     text="dimension 1\nwhile 1\nlet a = 1\nend\n")
        self.refused("lindsay", "--script=-", says="the dimension must be from 1 to 16", text="")
        self.refused("lindsay", "--script=/nonexistent", says="cannot read /nonexistent")


class Lrusim(ProgramTest):
    def check_trace(self, output, addresses, page_bytes):
        lines = output.splitlines()
        counts = stack_distances([address // page_bytes for address in addresses])
        self.assertEqual({int(a): int(b) for a, b in map(str.split, lines[1:])}, counts)
        self.assertTrue(lines[0].startswith(f"{len(addresses)} references, {counts.get(0, 0)} pages"))
        for faults, size in re.findall(r"(\d+) with (\d+)", lines[0]):
            missed = sum(n for distance, n in counts.items() if not 1 <= distance <= int(size))
            self.assertEqual(int(faults), missed)

    def test_generated_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace"
            flags = ["--references=3000", "--pages=300", "--plain", "--histogram", "--check=0"]
            output = self.answer("lrusim", *flags, f"--write={trace}")
            addresses = [int(line, 16) for line in trace.read_text().split()]
            self.check_trace(output, addresses, 4096)
            again = self.answer("lrusim", "--plain", "--histogram", f"--trace={trace}")
            self.assertEqual(again, output)
        self.assertNotEqual(self.answer("lrusim", *flags, "--seed=2"), output)

    def test_formats(self):
        text = "# a comment\n0x1000\nr 1fff\n2 2000 # fetch\n\n w 0X1000\nABC\n1000"
        output = self.answer("lrusim", "--plain", "--histogram", "--trace=-", text=text)
        self.check_trace(output, [0x1000, 0x1FFF, 0x2000, 0x1000, 0xABC, 0x1000], 4096)
        output = self.answer("lrusim", "--plain", "--histogram", "--trace=-", "--page-bytes=1", text=text)
        self.check_trace(output, [0x1000, 0x1FFF, 0x2000, 0x1000, 0xABC, 0x1000], 1)

    def test_wrong_input(self):
        wrong = {"10\nxyz\n": "-:2: 'xyz' is not an address", "0x\n": "'0x' is not an address",
                 "r 10 20\n": "-:1: more than two words", "1" * 17: "is not an address",
                 "0" * 70000: "-:1: the line is too long"}
        for text, says in wrong.items():
            self.refused("lrusim", "--trace=-", says=says, text=text)
        self.refused("lrusim", "--trace=/nonexistent", says="cannot read /nonexistent: No such")
        self.refused("lrusim", "--page-bytes=3", says="must be a power of two")
        self.refused("lrusim", "--references=5", says="must not be below --pages")
        self.refused("lrusim", "--write=/nonexistent/x", says="cannot write /nonexistent/x")
        self.refused("lrusim", "--small", "--write=/dev/full", status=1, says="No space left")


class Roboop(ProgramTest):
    def test_fall(self):
        # From rest the way is q + a t^2 / 2, but for terms of t^4.
        q = first_point()
        mass, gravity = lagrange(q)
        acceleration = solve(mass, [-torque for torque in gravity])
        output = self.answer("roboop", "--small", "--plain", "--steps=8")
        found = re.search(r"after 8 ms the arm fell to (\S+) (\S+) (\S+), (\S+) J", output)
        for angle, a, text in zip(q, acceleration, found.groups()[:3]):
            self.assertAlmostEqual(float(text), angle + a * 0.008**2 / 2, delta=2e-6)
        kinetic = 0.5 * 0.008**2 * sum(x * mass[i][j] * y for i, x in enumerate(acceleration)
                                       for j, y in enumerate(acceleration))
        self.assertAlmostEqual(float(found.group(4)), kinetic, delta=2e-4)
        self.assertGreater(kinetic, 2e-3)

    def test_sizes(self):
        for flags in (["--points=2"], ["--samples=1", "--steps=0"], ["--seed=7", "--points=100"]):
            self.answer("roboop", "--small", "--plain", *flags)

    def test_wrong_input(self):
        self.refused("roboop", "--points=1", says="--points: must be from 2")
        self.refused("roboop", "--samples=x", says="--samples: 'x' is not a number")


class Perl(ProgramTest):
    def test_answer(self):
        size = 3000
        sums = [0] * (size + 1)
        for d in range(1, size + 1):
            for multiple in range(2 * d, size + 1, d):
                sums[multiple] += d
        perfect = [n for n in range(1, size + 1) if sums[n] == n]
        amicable = [f"{sums[n]}/{n}" for n in range(1, size + 1)
                    if sums[n] < n and sums[sums[n]] == n]
        counts = [sum(test(n) for n in range(1, size + 1))
                  for test in (lambda n: sums[n] > n, lambda n: sums[n] < n)]
        self.assertEqual(self.answer("perl", size),
                         f"perfect {' '.join(map(str, perfect))}; amicable {' '.join(amicable)}; "
                         f"{counts[0]} abundant, {counts[1]} deficient, {len(perfect)} perfect\n")

    def test_wrong_input(self):
        for words in (["many"], ["0"], ["-3"], ["10", "20"], [""]):
            self.refused("perl", *words, says="perfect.pl: want one number from 1 to 9999999")


if __name__ == "__main__":
    unittest.main()
