"""Where the names of points stand in a chart, so that they cover neither each other nor other points.

Points are told in shares of the chart's width and height. Each name in turn, from left to right, gets
the first place that is free; where none is, the first.
"""

# By plotly's names; how far the middle of a name is from its point, in its own widths and heights.
PLACES = {
    "top center": (0, 1),
    "bottom center": (0, -1),
    "middle right": (0.5, 0),
    "middle left": (-0.5, 0),
    "top right": (0.5, 1),
    "bottom right": (0.5, -1),
    "top left": (-0.5, 1),
    "bottom left": (-0.5, -1),
}
# A chart on a page that is as wide as most windows has this size, in pixels. The next sizes are those of
# a letter, a line and a point in it.
WIDTH, HEIGHT = 1050.0, 320.0
_LETTER, _LINE, _POINT = 7.5, 15.0, 9.0


def _box(x, y, wide, high):
    return x - wide / 2, x + wide / 2, y - high / 2, y + high / 2


def _overlap(one, other):
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _of_name(point, name, place):
    aside, above = PLACES[place]
    wide = _LETTER * len(name)
    x = point[0] + aside * (wide + _POINT)
    y = point[1] + above * (_LINE + _POINT) / 2
    return _box(x, y, wide, _LINE)


def places(points, names):
    """A place for each of the points [(x, y)]."""
    scaled = [(x * WIDTH, y * HEIGHT) for x, y in points]
    taken = {at: _box(*point, _POINT, _POINT) for at, point in enumerate(scaled)}
    found = {}
    for at in sorted(range(len(points)), key=scaled.__getitem__):
        others = [box for one, box in taken.items() if one != at]
        free = (
            place for place in PLACES
            if not any(_overlap(_of_name(scaled[at], names[at], place), box) for box in others)
        )  # fmt: skip
        found[at] = next(free, next(iter(PLACES)))
        taken[f"name of {at}"] = _of_name(scaled[at], names[at], found[at])
    return [found[at] for at in range(len(points))]
