"""Figure 3: the parser's run time on its hand-written allocator and on XallocHeap."""

from ...study.experiment import Experiment, Kind, Part, Relation, Run
from ...study.quantity import Measured, Ratio
from ...study.relation import AtMost
from . import programs
from .shapes import beside_baseline

TIMES = {
    name: Measured(Run(Kind.TIMED, programs.PARSER[name]), "cpu")
    for name in ("xalloc", "xalloc (inlined)", "XallocHeap", "XallocHeap (inlined)")
}
# "Using layers actually slightly reduced runtime (by just over 1%)." The conclusion says of both custom
# allocators that layers improve performance slightly.
PAPER = {"xalloc": 1.0, "XallocHeap": 0.99}


def _part(layered, original):
    ratio = Ratio(TIMES[layered], TIMES[original])
    return Part(f"{layered} against {original}", ratio, AtMost(1.0), PAPER.get(layered))


EXPERIMENT = Experiment(
    name="figure-3",
    title="Run time of the parser: its own allocator and XallocHeap",
    grids=(beside_baseline("User and system time", "s", TIMES, "xalloc", paper_ratios=PAPER),),
    relations=(
        Relation(
            "With layers the parser is slightly faster than on the hand-written allocator",
            (
                _part("XallocHeap", "xalloc"),
                _part("XallocHeap (inlined)", "xalloc (inlined)"),
            ),
        ),
    ),
    notes=(
        "In the paper both versions of XallocHeap were the same code: the compiler inlined the "
        "layers whether they were declared inline or not. Here one version is compiled apart from "
        "the parser, as xalloc is, and one together with it.",
    ),
)
