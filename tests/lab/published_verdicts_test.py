"""The verdicts that docs/studies/*.csv keep are those of the declared relations, and follow from their numbers."""

import csv
import unittest

import lab_support
from mmt_lab import studies
from mmt_lab.reporters import csv_files
from mmt_lab.results.statistics import Estimate
from mmt_lab.studies.mmt import any_allocator
from mmt_lab.study import relation

# A file's experiments. One is measured once more, in a file of its own.
FILES = {study.name: study.experiments for study in studies.ALL}
FILES["any_allocator"] = (any_allocator.EXPERIMENT,)
PREMISE = "premise: "


def published(name):
    path = lab_support.ROOT / "docs/studies" / f"{name}.csv"
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def relations(lines):
    """{(experiment, claim): (its line, {label: the number's line})}."""
    found = {}
    for line in lines:
        key = line["experiment"], line["row"]
        if line["table"] == csv_files.VERDICTS and not line["column"]:
            found[key] = line, {}
        elif line["table"] == csv_files.VERDICTS:
            found[key][1][line["column"]] = line
    return found


def parts_of(one):
    return {part.label: part for part in one.parts} | {PREMISE + part.label: part for part in one.premise}


def judgement(part, line):
    """By the published number; None where its interval is not published."""
    if not line["low"]:
        return None
    estimate = Estimate(*(float(line[name]) for name in ("median", "low", "high")), int(line["samples"]))
    return part.condition.judge(estimate)


class Published(unittest.TestCase):
    def each(self):
        """(name, relation, its line, lines of its numbers) of all studies."""
        for file, experiments in FILES.items():
            found = relations(published(file))
            for experiment in experiments:
                for one in experiment.relations:
                    yield (experiment.name, one, *found[experiment.name, one.claim])

    def test_each_relation_has_its_verdict_and_no_other_is_there(self):
        for file, experiments in FILES.items():
            declared = [
                (experiment.name, one.claim)
                for experiment in experiments
                for one in (*experiment.relations, *experiment.not_compared)
            ]
            self.assertEqual(list(relations(published(file))), declared, file)

    def test_what_is_not_compared_says_why(self):
        for file, experiments in FILES.items():
            found = relations(published(file))
            for experiment in experiments:
                for one in experiment.not_compared:
                    line, numbers = found[experiment.name, one.claim]
                    told = line["verdict"], line["reason"], numbers
                    self.assertEqual(told, (relation.NOT_COMPARED, one.reason, {}), one.claim)

    def test_numbers_and_what_is_asked_of_them_are_the_declared_ones(self):
        for name, one, _, numbers in self.each():
            with self.subTest(experiment=name, claim=one.claim):
                parts = parts_of(one)
                self.assertEqual(list(numbers), list(parts))
                for label, part in parts.items():
                    line = numbers[label]
                    self.assertEqual(line["asked"], part.condition.words(part.unit))
                    self.assertEqual(line["unit"], part.unit)
                    self.assertEqual(line["paper"], "" if part.paper is None else str(part.paper))

    def test_verdicts_follow_from_the_numbers(self):
        for name, one, line, numbers in self.each():
            with self.subTest(experiment=name, claim=one.claim):
                parts = parts_of(one)
                for label, part in parts.items():
                    if numbers[label]["low"]:
                        told = relation.of_part(judgement(part, numbers[label]))
                        self.assertEqual(numbers[label]["verdict"], told, label)
                if not all(number["low"] for number in numbers.values()):
                    continue
                verdict = relation.verdict_of([judgement(part, numbers[part.label]) for part in one.parts])
                founded = all(judgement(part, numbers[PREMISE + part.label]) for part in one.premise)
                self.assertEqual(line["verdict"], verdict if founded else relation.UNDECIDED)

    def test_a_reason_stands_beside_what_is_not_found(self):
        for name, one, line, _ in self.each():
            found = line["verdict"] not in (relation.NOT_REPRODUCED, relation.UNDECIDED)
            self.assertEqual(line["reason"], "" if found else one.reason, (name, one.claim))

    def test_a_number_that_a_table_shows_is_the_table_s(self):
        for file, experiments in FILES.items():
            lines = published(file)
            cells = {
                (line["experiment"], line["table"], line["row"], line["column"]): line for line in lines
            }
            found = relations(lines)
            for experiment in experiments:
                shown = {
                    cell.quantity: cells[experiment.name, grid.title, *place]
                    for grid in experiment.grids
                    for place, cell in grid.cells.items()
                    if (experiment.name, grid.title, *place) in cells
                }
                for one in experiment.relations:
                    for part in one.parts:
                        number = found[experiment.name, one.claim][1][part.label]
                        if number["low"] and part.quantity in shown:
                            self.assertEqual(number["median"], shown[part.quantity]["median"], part.label)


if __name__ == "__main__":
    lab_support.main()
