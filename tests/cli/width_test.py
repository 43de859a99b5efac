"""Every help and every list fits into 80 columns; what cannot be broken goes on alone below its name."""

import json
import unittest

from support import clean_environment, main, mmt, verbs

WIDTH = 80


def names_in_list(kind):
    return [one["name"] for one in json.loads(mmt("list", kind, "--json").out)[kind]]


def too_wide(text):
    """Lines of more than 80 columns, but those with one word beside a name: a path is not broken."""
    return [
        line
        for line in text.splitlines()
        if len(line) > WIDTH and not ("/" in line and len(line.split()) <= 2)
    ]


class Width(unittest.TestCase):
    def assert_fits(self, *words):
        done = mmt(*words, env=clean_environment(COLUMNS=WIDTH))
        self.assertEqual((done.status, done.err), (0, ""), words)
        self.assertTrue(done.out, words)
        self.assertEqual(too_wide(done.out), [], words)

    def test_helps(self):
        for verb in ((), *((one,) for one in verbs())):
            self.assert_fits(*verb, "--help")

    def test_lists(self):
        self.assert_fits("list")
        kinds = [one["name"] for one in json.loads(mmt("list", "--json").out)["kinds"]]
        self.assertGreater(len(kinds), 5)
        for kind in kinds:
            self.assert_fits("list", kind)

    def test_lists_of_the_laboratory(self):
        self.assert_fits("bench", "--list")
        self.assert_fits("study", "--list")
        for study in names_in_list("studies"):
            self.assert_fits("study", study, "--list")

    def test_lists_of_what_runs(self):
        self.assert_fits("stats")


class What(unittest.TestCase):
    """That the rule itself can be broken."""

    def test_is_too_wide(self):
        self.assertEqual(too_wide("a" * 81), ["a" * 81])
        sentence = "name  a word " + "/path" * 20
        self.assertEqual(too_wide(sentence), [sentence])

    def test_is_not(self):
        self.assertEqual(too_wide("a" * 80), [])
        self.assertEqual(too_wide("name  " + "/path" * 20), [])


if __name__ == "__main__":
    main()
