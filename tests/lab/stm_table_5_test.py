"""Table 5 of the study of transactional memory: which counts are judged, and that each can fail."""

import re
import unittest

import lab_support
from mmt_lab.study import relation
from mmt_lab.studies.stm import paper_table_5, table_5
from stm_study_test import judged


class Table5(unittest.TestCase):
    def test_counts_are_exact(self):
        names = {name: one for one, name in table_5.NAMES.items()}

        def metrics(run, more=0):
            words = run.program.command
            application = names[words[words.index("--application") + 1]]
            return {
                f"reported.{region}.{column}": float(value + more)
                for region in table_5.REGIONS
                for column, value in zip(
                    paper_table_5.COLUMNS, paper_table_5.ROWS[application, region], strict=True
                )
            }

        for one in table_5.EXACT:
            claim = f"{one}: its counts are"
            self.assertEqual(judged(table_5.EXPERIMENT, claim, metrics), relation.REPRODUCED)
            self.assertEqual(
                judged(table_5.EXPERIMENT, claim, lambda run: metrics(run, 1)),
                relation.NOT_REPRODUCED,
            )
        for one in table_5.NEARLY:
            claim = f"{one}: its counts are"
            self.assertEqual(judged(table_5.EXPERIMENT, claim, metrics), relation.REPRODUCED)
        for claim in ("blocks are small", "free less than", "Yada most of all", "Labyrinth's transactions"):
            self.assertEqual(judged(table_5.EXPERIMENT, claim, metrics), relation.REPRODUCED)

    def test_each_count_of_table_5_is_judged_or_cannot_be(self):
        """Once, where the paper has blocks and no input was chosen for it; each program says why it differs."""
        judged_counts = [
            part.label
            for one in table_5.EXPERIMENT.relations
            if "its counts are" in one.claim or "neither do ours" in one.claim
            for part in one.parts
            if hasattr(part.quantity, "metric")
        ]
        rows = [row for (application, _), row in paper_table_5.ROWS.items() if application != "ssca2"]
        fitted = sum(len(columns) for columns in table_5.FITTED.values())
        nearly = [row for (one, _), row in paper_table_5.ROWS.items() if one in table_5.NEARLY]
        unjudged = fitted + sum(row.count(0) for row in nearly)
        self.assertEqual(len(judged_counts), len(rows) * len(paper_table_5.COLUMNS) - unjudged)
        for one in table_5.EXPERIMENT.relations:
            told = "its counts are" in one.claim or "more than they free" in one.claim
            self.assertEqual(bool(one.reason), told, one.claim)

    def test_none_is_no_agreement(self):
        """A program that allocates nothing has each count that the paper does not, and no other."""

        def metrics(run):
            return {
                f"reported.{region}.{column}": 0.0
                for region in table_5.REGIONS
                for column in paper_table_5.COLUMNS
            }

        self.assertEqual(judged(table_5.EXPERIMENT, "neither do ours", metrics), relation.REPRODUCED)
        for one in table_5.EXACT:
            claim = f"{one}: its counts are"
            self.assertEqual(judged(table_5.EXPERIMENT, claim, metrics), relation.NOT_REPRODUCED)

    def test_fitted_counts_are_those_of_the_programs_oracles(self):
        text = (lab_support.ROOT / "workloads/stm/stamp/table5.h").read_text(encoding="utf-8")
        row = r'\{"(\w+)",\s*Region::k(\w+),\s*\{([^}]*)\},\s*"([a-z.]+)"'
        fitted = {}
        for application, region, values, kinds in re.findall(row, text):
            for column, value, kind in zip(
                paper_table_5.COLUMNS, values.replace("'", "").split(","), kinds, strict=True
            ):
                if kind == "f" and int(value):
                    fitted.setdefault((application, region.lower()), []).append(column)
        self.assertEqual({key: tuple(of) for key, of in fitted.items()}, table_5.FITTED)


if __name__ == "__main__":
    lab_support.main()
