"""What the pages for users name is there: verbs of `mmt`, their flags, options as variables."""

import json
import re
import subprocess
import sys
import unittest

import pages
from console import MMT, clean_environment

CODE = re.compile(r"`([^`\n]+)`|^(?:\$ |    )(.+)$", re.MULTILINE)
COMMAND = re.compile(r"\bmmt ([a-z]+)((?: [^\s|;&]+)*)")
FLAG = re.compile(r"(?<=\s)(--[a-z][a-z-]*)")
VARIABLE = re.compile(r"\bMMT_([A-Z_]+)=")


def output(*words):
    done = subprocess.run([MMT, *words], env=clean_environment(), capture_output=True, text=True, check=True)
    return done.stdout


def code_of(page):
    for inline, line in CODE.findall(pages.COMMENT.sub("", pages.read(page))):
        yield inline or line


class Named(unittest.TestCase):
    def setUp(self):
        self.help = {}

    def help_of(self, verb):
        if verb not in self.help:
            self.help[verb] = output(verb, "--help")
        return self.help[verb]

    def test_the_table_of_options_is_found_in_a_clone(self):
        """The page keeps no rows; where it points to, all are."""
        page = pages.read(pages.ROOT / "docs/options.md")
        before = page[: page.index("<!-- table: mmt list options")]
        source = "src/interprocess/heap_options.cpp"
        self.assertIn(f"`{source}`", before)
        rows = pages.read(pages.ROOT / source)
        names = re.findall(r"^\| `(\w+)` \|", output("list", "options", "--markdown"), re.MULTILINE)
        self.assertGreater(len(names), 10)
        for name in names:
            self.assertIn(f'"{name}"', rows)

    def test_words_of_reports_are_in_the_glossary(self):
        terms = re.findall(r"^\| ([^|]+) \|", pages.read(pages.ROOT / "docs/glossary.md"), re.MULTILINE)
        self.assertEqual(terms[2:], sorted(terms[2:], key=lambda term: term.casefold()))
        for term in ("geometric mean", "in line", "interval", "peer", "ready", "served", "site", "taken", "trace"):
            self.assertIn(term, terms)

    def test_verbs_and_flags(self):
        verbs = set(re.findall(r"^  ([a-z]+)\b", output("--help"), re.MULTILINE))
        self.assertIn("run", verbs)
        seen = set()
        for page in pages.FOR_USERS:
            for code in code_of(page):
                for verb, words in COMMAND.findall(code):
                    with self.subTest(page=pages.name_of(page), code=code):
                        self.assertIn(verb, verbs)
                        for flag in FLAG.findall(words.split(" -- ")[0]):
                            self.assertRegex(self.help_of(verb), rf"{flag}\b")
                            seen.add((verb, flag))
        self.assertGreater(len(seen), 10, "the pages name no flags")

    def test_variables(self):
        options = {one["name"].upper() for one in json.loads(output("list", "options", "--json"))["options"]}
        variables = {one["name"] for one in json.loads(output("list", "variables", "--json"))["variables"]}
        for page in pages.FOR_USERS:
            for name in VARIABLE.findall(pages.read(page)):
                with self.subTest(page=pages.name_of(page), name=name):
                    self.assertTrue(name in options or f"MMT_{name}" in variables)


if __name__ == "__main__":
    sys.exit(unittest.main())
