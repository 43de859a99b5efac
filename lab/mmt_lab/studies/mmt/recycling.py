"""The slides' three designs: preallocation, and freed blocks that serve again at once."""

from ...study.experiment import SYSTEM, Experiment, Part, Relation
from ...study.quantity import Lowest
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


EXPERIMENT = Experiment(
    name="recycling",
    title="The slides' designs: wall time against the allocator alone",
    grids=(
        _grid("Wall time, base: Lea", BASE, DESIGNS, PAPER, BEST),
        _grid("Wall time, base: the C library", SYSTEM, WITHOUT_LOCK, {}),
    ),
    relations=(
        _helps("Freed blocks that serve again at once help", BASE, DESIGNS),
        _helps(
            "They do over a library that tells a block's size without a lock", SYSTEM, WITHOUT_LOCK
        ),
        Relation(
            "At best programs are 1.25 times as fast by the first, 1.60 times by another",
            tuple(
                Part(
                    name,
                    Lowest(ratios(DESIGNS[name], BASE, of=programs.WAITING)),
                    AtMost(1.0),
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
        "The slides: 1.19 times faster on average by the first, 1.25 at best, 1.60 at best with "
        "recycling, in whichever of the two others.",
    ),
)
