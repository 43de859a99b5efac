"""Pages stay short, and so do their sentences; no page tells the history of runs and commits."""

import re
import sys
import unittest

import pages

TOTAL = 26000  # words of all Markdown, without tables that are kept
README = 900
USERS = 6500
GAPS = 800
ROWS = 25
SENTENCE = 25  # words
COMMIT = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")


class Budget(unittest.TestCase):
    def test_all_pages(self):
        counts = {pages.name_of(page): pages.words(pages.written(pages.read(page))) for page in pages.PAGES}
        longest = sorted(counts.items(), key=lambda item: -item[1])[:5]
        self.assertLessEqual(sum(counts.values()), TOTAL, f"the longest: {longest}")

    def test_readme(self):
        self.assertLessEqual(pages.words(pages.read(pages.ROOT / "README.md")), README)

    def test_pages_for_users(self):
        self.assertLessEqual(sum(pages.words(pages.read(page)) for page in pages.FOR_USERS), USERS)

    def test_known_gaps(self):
        text = pages.read(pages.ROOT / "docs/known_gaps.md")
        self.assertLessEqual(pages.words(text), GAPS)
        rows = [line for line in text.splitlines() if line.startswith("|")]
        self.assertLessEqual(len(rows) - 2, ROWS)


class Prose(unittest.TestCase):
    def test_sentences_are_short(self):
        for page in pages.PAGES:
            for sentence in pages.sentences(pages.read(page)):
                with self.subTest(page=pages.name_of(page), sentence=sentence):
                    self.assertLessEqual(pages.words(sentence), SENTENCE)

    def test_no_commit_is_named(self):
        for page in pages.PAGES:
            for paragraph in pages.paragraphs(pages.read(page)):
                with self.subTest(page=pages.name_of(page)):
                    self.assertIsNone(COMMIT.search(paragraph), paragraph)


class Reader(unittest.TestCase):
    """What the tests above read is what a person reads."""

    def test_sentences(self):
        text = "# A title\n\nOne two. Three `code here`?\n\n| a | b |\n\n- an item\n  goes on.\n\n```\nno. prose.\n```\n"
        self.assertEqual(list(pages.sentences(text)), ["One two.", "Three CODE?", "an item goes on."])

    def test_commits(self):
        self.assertIsNotNone(COMMIT.search("measured at 1dbb3ce here"))
        self.assertIsNone(COMMIT.search("of 1048576 bytes, defaced"))


if __name__ == "__main__":
    sys.exit(unittest.main())
