"""What the laboratory's verbs tell of themselves, for completions and the manual."""

import json
import subprocess

import lab_support


class Grammar(lab_support.Bench):
    def grammar(self, verb, *typed, **variables):
        done = subprocess.run(
            [self.binary, verb, "--grammar", *typed], capture_output=True, text=True, check=False,
            env=lab_support.clean_environment(**variables), cwd=self.folder, timeout=60,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told = json.loads(done.stdout)
        self.assertEqual(told["schema"], 1)
        return told

    def option(self, told, name):
        return next(one for one in told["options"] if name in one["names"])

    def test_options_of_every_verb(self):
        for verb in ("bench", "check", "study", "report", "simulate"):
            told = self.grammar(verb)
            self.assertTrue(told["usage"].startswith(f"mmt {verb} "))
            self.assertTrue(told["examples"])
            self.assertIsNone(self.option(told, "--help")["value"])
            for one in told["options"]:
                self.assertTrue(one["help"], one)

    def test_kinds_of_values(self):
        told = self.grammar("bench")
        allocators = self.option(told, "--allocators")
        self.assertEqual((allocators["complete"], allocators["list"]), ("allocators", True))
        self.assertEqual(self.option(told, "--json")["complete"], "files")
        self.assertEqual(self.option(told, "--peers")["values"], ["debian", "today"])
        self.assertEqual(self.option(told, "-q")["names"], ["-q", "--quiet"])

    def test_values_depend_on_what_was_typed(self):
        suite = {"schema": 1, "name": "x", "programs": [{"name": "p", "command": ["true"]}]}
        (self.folder / "tiny.json").write_text(json.dumps(suite))
        told = self.grammar("bench", "tiny", MMT_BENCH_SUITES=self.folder)
        self.assertEqual(told["positionals"][0]["values"], ["tiny"])
        self.assertEqual(self.option(told, "--only")["values"], ["p"])
        (self.folder / "tiny.json").write_text("{")
        told = self.grammar("bench", "tiny", MMT_BENCH_SUITES=self.folder)
        self.assertEqual(self.option(told, "--only")["values"], [], "a suite that is broken fails nothing")

    def test_studies(self):
        told = self.grammar("study", "heap-layers")
        self.assertEqual(told["positionals"][0]["values"], ["heap-layers", "mmt", "abt-sbt", "stm"])
        listed = self.study("heap-layers", "--list")[1].splitlines()
        names = [line.split()[0] for line in listed if not line.startswith(("all ", " "))]
        self.assertCountEqual(self.option(told, "--only")["values"], names)
        self.assertLess(set(names), set(self.option(self.grammar("study"), "--only")["values"]))


if __name__ == "__main__":
    lab_support.main()
