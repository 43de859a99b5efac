"""The slides' three designs: preallocation, and freed blocks that serve again at once."""

from ...study.experiment import SYSTEM, Experiment, Part, Relation
from ...study.quantity import Lowest, OfMedians
from ...study.relation import AtMost
from . import allocators, programs
from .shapes import AVERAGES_NOTE, against, normalised, ratios

BASE = allocators.LEA
# The slides number them anew: the first is the paper's final design.
FIRST, SECOND, THIRD = "slides' design 1 (final)", "slides' design 2", "slides' design 3"
PROTOCOLS = {FIRST: "preallocate", SECOND: "recycle-shared", THIRD: "recycle-sized"}


def _over(base):
    return {name: allocators.over(base, one, one) for name, one in PROTOCOLS.items()}


DESIGNS = _over(BASE)
# The C library tells the size of a block without a lock.
WITHOUT_LOCK = _over(SYSTEM)
PAPER = {FIRST: 1 / 1.19}
# Our bounds: half of the time that the paper saves, or more.
AT_BEST = {FIRST: 0.90, SECOND: 0.75, THIRD: 0.75}
BEST = {"best": (Lowest, {FIRST: 1 / 1.25, SECOND: 1 / 1.60, THIRD: 1 / 1.60})}


def _grid(title, base, designs, paper, extremes=None):
    return normalised(title, base, designs, paper, of=programs.WAITING, extremes=extremes)


def _helps(claim, base, designs):
    parts = tuple(
        Part(
            f"{name} against the first",
            against(designs[name], designs[FIRST], base, programs.WAITING),
            AtMost(1.0),
        )
        for name in (SECOND, THIRD)
    )
    return Relation(claim, parts)


def _second_lowest_of_better(medians):
    """`medians`: the second design's ratios in all programs, and the third's behind them."""
    half = len(medians) // 2
    return sorted(map(min, medians[:half], medians[half:]))[1]


# At most this share of the first's time two programs take by the second or the third.
BETTER_IN_TWO = OfMedians(
    _second_lowest_of_better,
    tuple(
        ratio
        for name in (SECOND, THIRD)
        for ratio in ratios(DESIGNS[name], DESIGNS[FIRST], of=programs.WAITING)
    ),
)

EXPERIMENT = Experiment(
    name="recycling",
    title="The slides' designs: wall time against the allocator alone",
    grids=(
        _grid("Wall time, base: Lea", BASE, DESIGNS, PAPER, BEST),
        _grid("Wall time, base: the C library", SYSTEM, WITHOUT_LOCK, {}),
    ),
    relations=(
        Relation(
            "Freed blocks that serve again at once help two programs",
            (Part("second-lowest, the better over the first", BETTER_IN_TWO, AtMost(0.95)),),
        ),
        _helps("Ours: they help on average", BASE, DESIGNS),
        _helps(
            "Ours: they do over a library that tells a block's size without a lock",
            SYSTEM,
            WITHOUT_LOCK,
        ),
        Relation(
            "At best programs are 1.25 times as fast by the first, 1.60 times by another",
            tuple(
                Part(
                    name,
                    Lowest(ratios(DESIGNS[name], BASE, of=programs.WAITING)),
                    AtMost(AT_BEST[name]),
                    BEST["best"][1][name],
                )
                for name in PROTOCOLS
            ),
        ),
    ),
    notes=(
        allocators.LEA_NOTE,
        programs.WAITING_NOTE,
        AVERAGES_NOTE,
        "To serve a freed block again its size must be known, and only the library knows it: each "
        "free asks. Lea's and PHK's answer under their lock, for which the memory thread is there "
        "too; the C library's needs none. The second grid is an experiment of ours: the same designs "
        "and inputs over another library, which differs in more than that.",
        "library-cost has the same designs over an allocator whose calls take longer.",
        "'Two applications do get significant extra benefits', says the paper, without a number: 5% is "
        "our bound.",
        "The slides: 1.19 times faster on average by the first, 1.25 at best, 1.60 at best with "
        "recycling, in whichever of the two others.",
    ),
)
