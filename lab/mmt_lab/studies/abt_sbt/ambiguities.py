"""What the paper leaves open, both ways; and trees that are kept in balance, which it advocates."""

from ...study.experiment import Cell, Experiment, Grid, NotCompared, Part, Relation
from ...study.relation import AtLeast, AtMost
from .allocators import PAPER, SEGREGATED, model
from .shapes import (
    ALLOCATION,
    COALESCED,
    FREE,
    FREE_CHUNKS,
    PAGES,
    WORST_ALLOCATION,
    WORST_FREE,
    average,
    highest,
    ratio,
)

BALANCING = "rebalancing_nodes"  # for balance and maxima
SELDOM = 0.5  # the paper has no number for "relatively infrequent"
_COLUMNS = {
    "nodes at allocation": (average, ALLOCATION),
    "nodes at free": (average, FREE),
    "most at allocation": (highest, WORST_ALLOCATION),
    "most at free": (highest, WORST_FREE),
    "OS pages": (average, PAGES),
    "free chunks": (average, FREE_CHUNKS),
    "frees that coalesce": (average, COALESCED),
    "nodes rebalanced": (average, BALANCING),
}
_UNITS = {"frees that coalesce": "share", "OS pages": "count", "free chunks": "count"}


def _grid(title, variants):
    """`variants`: names with their changes, as ("SBT-FFWC", "trees=9")."""
    rows = {" ".join(one): model(one[0], PAPER, *one[1:]) for one in variants}
    cells = {
        (row, column): Cell(mean(allocator, metric))
        for row, allocator in rows.items()
        for column, (mean, metric) in _COLUMNS.items()
    }
    return Grid(title, "mean", "allocator", tuple(rows), tuple(_COLUMNS), cells, _UNITS)


_BALANCED = ("ABT-FF", "ABT-FFWC", "SBT-FF", "SBT-FFWC")
_BALANCES = ("none", "periodic", "scapegoat", "weight", "treap")


def _mean_of(name, change, metric):
    return average(model(name, PAPER, change), metric)


def _pages_by_order(name):
    return ratio(*(_mean_of(name, f"order={how}", PAGES) for how in ("lifo", "address")))


def _balanced_over(name, other):
    return ratio(*(_mean_of(one, "balance=periodic", BALANCING) for one in (name, other)))


EXPERIMENT = Experiment(
    name="ambiguities",
    title="What the paper leaves open, both ways",
    grids=(
        _grid(
            "Do the segregated four coalesce?",
            tuple((one + wc,) for one in SEGREGATED for wc in ("", "WC")),
        ),
        _grid(
            "8 trees, as the text says, or 9, as its ranges need",
            tuple((one, f"trees={n}") for one in ("SBT-FF", "SBT-BF", "SBT-FFWC", "SBT-BFWC") for n in (8, 9)),
        ),
        _grid(
            "Where a coalescing SBT looks for neighbours",
            tuple(
                (one, f"classes={mode}")
                for one in ("SBT-FFWC", "SBT-BFWC")
                for mode in ("local", "probe", "tags")
            ),
        ),
        _grid(
            "Which end of a chunk a request gets",
            tuple((one, f"split={end}") for one in ("ABT-FFWC", "SBT-FFWC") for end in ("high", "low")),
        ),
        _grid(
            "Better fit, and best fit on the same tree",
            (("ABT-BFWC",), ("ABT-bestWC",), ("SBT-BFWC",), ("SBT-bestWC",)),
        ),
        _grid(
            "Trees kept in balance",
            tuple((one, f"balance={how}") for one in _BALANCED for how in _BALANCES),
        ),
        _grid(
            "The list's order",
            tuple((one, f"order={how}") for one in ("SqF-FF", "SqF-FFWC") for how in ("lifo", "address")),
        ),
    ),
    relations=(
        Relation(
            "Taking what was freed last needs more pages than address order",
            tuple(
                Part(one, _pages_by_order(one), AtLeast(1.0))
                for one in ("SqF-FF", "SqF-FFWC")
            ),
        ),
        Relation(
            "With coalescing, periodic balance visits far fewer nodes",
            tuple(
                Part(f"{one}WC against {one}", _balanced_over(f"{one}WC", one), AtMost(SELDOM))
                for one in ("ABT-FF", "SBT-FF")
            ),
        ),
    ),
    not_compared=(
        NotCompared("SBT has 8 trees of 64 bytes each", "the text's ranges need 9: both are shown"),
        NotCompared(
            "Trees are seldom rebalanced",
            "nodes are counted, for balance and maxima together, and not how often",
        ),
    ),
    notes=(
        "Means of the slices, the paper's shape; a 'most' is that of all slices. The defaults are 8 trees, "
        "neighbours in the chunk's own class, the high end, no balance, and LIFO.",
        f"'Far fewer' is taken as {SELDOM:g} of them; the paper has no number.",
    ),
)  # fmt: skip
