"""The slides' decoupling effect: what it does to a program's own computation that the library's code
runs on another core.
"""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Average, Ratio
from ...study.relation import AtMost
from . import allocators, programs
from .shapes import sampled, second_lowest

BASE = allocators.LEA
DESIGN = allocators.over(BASE, "preallocate", "preallocate")
COLUMN = "preallocate"


def _own(program):
    return Ratio(sampled(program, DESIGN, "own"), sampled(program, BASE, "own"))


AVERAGE = Average(tuple(_own(one) for one in programs.ALL))

EXPERIMENT = Experiment(
    name="decoupling",
    title="The program's own computation, with the library's code on another core",
    grids=(
        Grid(
            "CPU time of the program's own code, base: Lea",
            "ratio",
            "benchmark",
            (*(one.name for one in programs.ALL), "average"),
            (COLUMN,),
            {(one.name, COLUMN): Cell(_own(one)) for one in programs.ALL}
            | {("average", COLUMN): Cell(AVERAGE)},
            chart_column=COLUMN,
        ),
    ),
    relations=(
        Relation(
            "In some programs their own code takes less time when the library's runs elsewhere",
            (Part("second-lowest", second_lowest(map(_own, programs.ALL)), AtMost(0.97)),),
        ),
    ),
    notes=(
        "Samples of the first thread, as in figure-1, that fall neither into the kernel nor into the "
        "allocator's or the protocol's library. It gains what the library no longer takes of "
        "its core's caches, and loses what lines that another core has written cost to fetch.",
        "The slides show the effect as figures, without a number in the text: fewer misses of the TLB "
        "and the last-level cache, fewer mispredicted branches. These three are in figure-10.",
        "The paper: 'MMT also reduces the computation time component of some applications'. Asked of "
        "two is 3% less, which is our bound.",
        programs.NOTE,
    ),
)
