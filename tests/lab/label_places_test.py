"""Names of points cover neither each other nor other points, where there is room."""

import unittest

import lab_support
from mmt_lab.reporters import label_places


def boxes(points, names):
    """Those of the names, then those of the points."""
    scaled = [(x * label_places.WIDTH, y * label_places.HEIGHT) for x, y in points]
    found = label_places.places(points, names)
    named = [label_places._of_name(*one) for one in zip(scaled, names, found, strict=True)]
    return named, [label_places._box(*one, 9, 9) for one in scaled]


class Places(unittest.TestCase):
    def test_a_lonely_point_has_its_name_above(self):
        self.assertEqual(label_places.places([(0.5, 0.5)], ["one"]), ["top center"])
        self.assertEqual(label_places.places([], []), [])

    def test_neighbours(self):
        points = [(0.0, 0.1), (0.02, 0.1), (0.3, 0.2), (0.32, 0.26), (0.32, 0.2), (0.36, 0.27), (1.0, 1.0)]
        names = ["sgf-ff", "sgf-bf", "abt-bfwc", "abt-ffwc", "abt-bf", "abt-ff", "sqf-ff"]
        named, dots = boxes(points, names)
        for at, box in enumerate(named):
            for other in range(len(points)):
                if other != at:
                    self.assertFalse(label_places._overlap(box, named[other]), (names[at], names[other]))
                    self.assertFalse(label_places._overlap(box, dots[other]), (names[at], other))

    def test_points_at_one_place_have_names_all_the_same(self):
        found = label_places.places([(0.5, 0.5)] * 12, [f"name-{at}" for at in range(12)])
        self.assertEqual(len(found), 12)
        self.assertGreater(len(set(found)), 1)


if __name__ == "__main__":
    lab_support.main()
