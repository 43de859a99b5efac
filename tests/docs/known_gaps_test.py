"""docs/known_gaps.md: its ranges reach over every run of docs/figures."""

import re
import sys
import unittest

import pages

sys.path.insert(0, str(pages.ROOT / "tools"))
import figures_table  # noqa: E402

LATENCY, LATENCY_64K = "latency/grow_free_grow", "latency/grow_free_grow_64k"
# An entry has a range of the page ("A to B" or "up to B") and the (program, metric, allocator) of its ratios. The range
# is of the figure itself where there is no allocator.
RANGES = [
    (r"of mimalloc's time; first", [("rebuild/tree", "teardown", "mimalloc"), ("rebuild/tree", "reteardown", "mimalloc")]),
    (r"of glibc's time, goal 0\.60", [(f"rebuild/{one}", "teardown", "glibc") for one in ("tree", "mixed", "lists")]),
    (r"of fresh ones", [(f"rebuild/{one}", "retraverse_ratio", None) for one in ("lists", "scattered")]),
    (r"of mimalloc's \| free memory", [("rebuild/mixed", "rebuild", "mimalloc")]),
    (r"of glibc's p99\.99;", [(LATENCY, "malloc_p9999", "glibc")]),
    (r"to 64 KiB;", [(LATENCY_64K, "malloc_p9999", "glibc")]),
    (r"of mimalloc 3's p99", [(LATENCY_64K, "malloc_p99", "mimalloc")]),
]  # fmt: skip


def values(runs, program, metric, other):
    key = (program, metric)
    for run in runs:
        if key in run.units and (other is None or other in run.samples[key]):
            yield run.ratio(key, other) if other else run.median(key, "mmt")


class KnownGaps(unittest.TestCase):
    def test_ranges_reach_over_all_runs(self):
        runs = [run for runs in figures_table.sets_of_runs() for run in runs]
        text = pages.read(pages.ROOT / "docs/known_gaps.md")
        for after, keys in RANGES:
            with self.subTest(after=after):
                shown = re.search(rf"(?:([\d.]+)|up) to ([\d.]+),? {after}", text)
                self.assertIsNotNone(shown, "the range is gone")
                found = [value for key in keys for value in values(runs, *key)]
                self.assertEqual(f"{max(found):.2f}", shown[2])
                if shown[1]:
                    self.assertEqual(f"{min(found):.2f}", shown[1])


if __name__ == "__main__":
    sys.exit(unittest.main())
