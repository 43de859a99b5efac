"""Results read back, and values in the words of `mmt bench`: the parts of `mmt report`."""

import json
import unittest

import lab_support
from mmt_lab.text import bench_units
from mmt_lab.results import result
from mmt_lab.results.from_plain import Mismatch, decode
from mmt_lab.results.statistics import Estimate


def study():
    cells = (
        result.CellResult("a", "b", "s", Estimate(1.5, 1.0, 2.0, 3), None),
        result.CellResult("a", "c", "ratio", None, 2.0),
    )
    grid = result.GridResult("grid", "s", "row", ("a",), ("b", "c"), None, cells)
    experiment = result.ExperimentResult(
        "figure-1", "A figure", (result.Finding("reproduced", "It is."),), (grid,),
        (result.FactResult("a", "ours", "the paper's"),), ("note",), (result.Missing("run", "why"),),
    )  # fmt: skip
    return result.StudyResult(
        1, "study", "mmt", "A study", "A paper", ("mmt", "study"), {"seed": 1}, {"cpus": 2}, 3, True,
        ("remark",), {"run": "command"}, (experiment,), (result.SampleResult("run", "cpu", None, 1.0),),
    )  # fmt: skip


class Decoded(unittest.TestCase):
    def test_a_study_comes_back_as_it_was(self):
        plain = json.loads(json.dumps(result.as_plain(study())))
        self.assertEqual(decode(result.StudyResult, plain), study())

    def test_fields_of_later_versions_are_passed_over(self):
        plain = json.loads(json.dumps(result.as_plain(study()))) | {"later": 1}
        self.assertEqual(decode(result.StudyResult, plain), study())

    def test_the_place_is_named(self):
        plain = json.loads(json.dumps(result.as_plain(study())))
        plain["experiments"][0]["grids"][0]["cells"][0]["ours"]["low"] = "1"
        with self.assertRaises(Mismatch) as caught:
            decode(result.StudyResult, plain)
        place = "experiments[0].grids[0].cells[0].ours.low"
        self.assertEqual(str(caught.exception), f"{place} is no number")
        with self.assertRaises(Mismatch) as caught:
            decode(result.StudyResult, 3)
        self.assertEqual(str(caught.exception), "it is no object")

    def test_yes_is_no_number(self):
        for kind in (int, float):
            with self.assertRaises(Mismatch):
                decode(kind, True)


class Units(unittest.TestCase):
    def test_values_read_as_on_the_terminal(self):
        """As in src/report/units_test.cpp."""
        for value, unit, words in (
            (1.534, "s", "1.53 s"), (0.0123, "s", "12.3 ms"), (252, "ns", "252 ns"),
            (200000, "ns", "200 us"), (0, "ns", "0 s"), (0.9996, "ms", "1.00 ms"),
            (512, "bytes", "512 B"), (1536, "bytes", "1.50 KiB"), (2**20 - 1, "bytes", "1.00 MiB"),
            (5 * 2**30, "bytes", "5.00 GiB"), (0, "bytes", "0 B"),
            (1234, "count", "1,234"), (2, "flag", "2"), (2.5, "requests/s", "2.50 requests/s"),
            (0.012345, "x", "0.0123 x"), (9.999, "", "10.0"), (15.34, "", "15.3"),
            (1534.4, "", "1534"), (-2.5, "", "-2.50"),
        ):  # fmt: skip
            self.assertEqual(bench_units.in_words(float(value), unit), words)


if __name__ == "__main__":
    lab_support.main()
