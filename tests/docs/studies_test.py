"""The tables that pages keep are what their commands print, and none is missing."""

import csv
import pathlib
import re
import sys
import tempfile
import unittest

import pages

sys.path.insert(0, str(pages.ROOT / "tools"))
import kept_tables  # noqa: E402
import study_verdicts  # noqa: E402

STUDIES = pages.ROOT / "docs/studies"
HEAD = "experiment,table,row,column,unit,median,low,high,samples,paper,asked,verdict,reason\n"


class Kept(unittest.TestCase):
    def test_tables_are_what_their_commands_print(self):
        self.assertLessEqual(set(STUDIES.glob("*.md")), set(kept_tables.keeping_pages()), "they keep their verdicts")
        for page in kept_tables.keeping_pages():
            with self.subTest(page=pages.name_of(page)):
                text = pages.read(page)
                self.assertEqual(text, kept_tables.filled(text), "tools/kept_tables.py writes it anew")

    def test_each_file_with_verdicts_has_a_page_that_keeps_them(self):
        kept = [found[2] for page in STUDIES.glob("*.md") for found in kept_tables.KEPT.finditer(pages.read(page))]
        for file in sorted(STUDIES.glob("*.csv")):
            with open(file, encoding="utf-8", newline="") as lines:
                if not study_verdicts.relations(csv.DictReader(lines)):
                    continue
            self.assertIn(f"tools/study_verdicts.py {pages.name_of(file)}", kept)

    def test_no_verdict_is_written_by_hand(self):
        for page in sorted(STUDIES.glob("*.md")):
            rows = re.findall(r"(?m)^\|.*$", kept_tables.KEPT.sub("", pages.read(page)))
            for row in rows:
                self.assertNotRegex(row, r"\| (not )?reproduced|\| undecided", pages.name_of(page))

    def test_a_changed_number_is_seen(self):
        command = "tools/study_verdicts.py docs/studies/mmt.csv"
        page = f"# A page\n\n<!-- kept: {command} -->\n\n1 rows.\n\n<!-- end of kept -->\n"
        self.assertNotEqual(page, kept_tables.filled(page))
        self.assertEqual(kept_tables.filled(page), kept_tables.filled(kept_tables.filled(page)))


class Verdicts(unittest.TestCase):
    def table(self, lines, settings=False):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "results.csv")
            file.write_text(HEAD + lines, encoding="utf-8")
            return study_verdicts.render(file, settings)

    def row(self, lines):
        return self.table(lines).splitlines()[-1]

    def test_one_number(self):
        row = self.row(
            "figure-1,Verdicts,It is fast,,,,,,,,,reproduced,\n"
            "figure-1,Verdicts,It is fast,time,ratio,0.5,0.4,0.6,5,0.7,at most 1.000,as asked,\n"
        )
        self.assertEqual(row, "| figure-1 | It is fast | reproduced | 0.500 [0.400, 0.600] | at most 1.000 | 0.700 |")

    def test_many_numbers_are_counted_and_a_premise_is_not_one_of_them(self):
        lines = "".join(
            f"a,Verdicts,Claim,{name},share,{value},{value},{value},1,,at most 50.0%,{verdict},\n"
            for name, value, verdict in (
                ("p", 0.1, "as asked"), ("q", 0.2, "as asked"), ("r", 0.5, "undecided"), ("s", 0.9, "not as asked"),
                ("premise: t", 0.7, "not as asked"),
            )
        )  # fmt: skip
        row = self.row("a,Verdicts,Claim,,,,,,,,,undecided,\n" + lines)
        self.assertIn("| 2 of 4 as asked, 1 undecided: 10.0% to 90.0%; its premise is not found |", row)

    def test_what_is_not_compared_says_why(self):
        row = self.row("a,Verdicts,Figure 2,,,,,,,,,not compared,a drawing\n")
        self.assertEqual(row, "| a | Figure 2 | not compared | a drawing |  |  |")

    def test_rows_of_tables_are_none(self):
        self.assertIn("0 rows", self.table("a,Times,x,y,s,1,1,1,5,,,,\n"))

    def in_settings(self, **verdicts):
        """The row of a claim with these verdicts, ours under `ours`."""
        lines = ""
        for setting, verdict in verdicts.items():
            name = "a-1" if setting == "ours" else f"a-1-{setting}"
            lines += f"{name},Verdicts,Claim,,,,,,,,,{verdict},\n"
            lines += f"{name},Verdicts,Claim,x,share,0.1,0.1,0.1,5,,at most 1,as asked,\n"
        self.assertIn("1 rows", self.table(lines), "each claim once")
        return self.table(lines, settings=True).splitlines()[-1]

    def test_settings_stand_side_by_side_with_the_cause_that_tells_them_apart(self):
        yes, no = "reproduced", "not reproduced"
        for verdicts, why in (
            ({"ours": yes, "tinystm": yes, "epochs": yes}, ""),
            ({"ours": no, "tinystm": yes, "epochs": yes, "quiesced": yes}, "paper's: privatization"),
            ({"ours": no, "tinystm": yes, "epochs": no, "quiesced": no}, "paper's: reclamation; epochs: as ours"),
            ({"ours": no, "tinystm": yes, "epochs": yes}, "paper's: open"),
            ({"ours": no, "tinystm": no}, ""),
            ({"ours": no, "tinystm": yes, "epochs": yes, "quiesced": "undecided"}, "paper's: open"),
            ({"ours": yes, "tinystm": yes, "epochs": "undecided", "quiesced": yes}, "epochs: open"),
        ):
            told = self.in_settings(**verdicts).split(" | ")
            self.assertEqual(told[2:4], [f"{verdicts['ours']}: 10.0%", f"{verdicts['tinystm']}: 10.0%"])
            self.assertEqual(told[5].removesuffix(" |"), why, verdicts)

    def test_a_claim_of_one_setting_is_not_beside_another(self):
        text = self.table("a,Verdicts,Claim,,,,,,,,,reproduced,\n", settings=True)
        self.assertEqual(len(text.splitlines()), 2)

    def test_a_number_that_was_not_measured(self):
        lines = "a,Verdicts,Claim,,,,,,,,,not measured,\na,Verdicts,Claim,x,s,,,,0,,at most 1,not measured,\n"
        self.assertIn("| not measured | not measured |", self.row(lines))


if __name__ == "__main__":
    sys.exit(unittest.main())
