"""Figure 1: what a custom allocator saves. The parser gets its memory from xalloc or malloc."""

from ...study.experiment import Experiment, Kind, Part, Relation, Run
from ...study.quantity import Measured, Ratio
from ...study.relation import AtLeast
from . import programs
from .shapes import beside_baseline

TIMES = {
    name: Measured(Run(Kind.TIMED, programs.PARSER[name]), "cpu")
    for name in ("xalloc", "system malloc")
}
# "Replacing its custom allocator by the system allocator increases its runtime by over 60%."
PAPER = {"xalloc": 1.0, "system malloc": 1.6}

EXPERIMENT = Experiment(
    name="figure-1",
    title="The impact of custom allocation on the parser",
    grids=(beside_baseline("User and system time", "s", TIMES, "xalloc", paper_ratios=PAPER),),
    relations=(
        Relation(
            "The parser takes over 60% more time on the system's allocator than on its custom one",
            (
                Part(
                    "system malloc against xalloc",
                    Ratio(TIMES["system malloc"], TIMES["xalloc"]),
                    AtLeast(1.6),
                    PAPER["system malloc"],
                ),
            ),
        ),
    ),
    notes=(
        "The paper estimated its number from time spent in allocation, with Windows 2000's "
        "allocator; here the parser runs on the C library's malloc and frees block by block.",
    ),
)
