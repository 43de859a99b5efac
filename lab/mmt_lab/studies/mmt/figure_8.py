"""Figure 8: designs 3 to 5, in which the program's own thread allocates."""

from ...experiment import Experiment, Part, Relation
from ...relation import AtLeast, AtMost
from . import allocators, figure_7, programs

BASE = allocators.LEA
DESIGNS = {
    "design 3": allocators.over(BASE, "main-alloc-pthread", "main-alloc-pthread"),
    "design 4": allocators.over(BASE, "main-alloc-minimalist", "main-alloc-minimalist"),
    "design 5": allocators.over(BASE, "main-alloc-bulk", "main-alloc-bulk"),
}
PAPER = {"design 3": 1.46, "design 4": 1.33, "design 5": 1.0}
ALL = figure_7.DESIGNS | DESIGNS
_FIFTH = figure_7.against(DESIGNS["design 5"], BASE)

EXPERIMENT = Experiment(
    name="figure-8",
    title="Only free is offloaded: wall time against the allocator alone",
    grids=(figure_7.grid(DESIGNS, PAPER),),
    relations=(
        figure_7.order("Allocating in the program's thread helps", "design 2", "design 3", ALL),
        figure_7.order("Minimal primitives help", "design 3", "design 4", ALL),
        figure_7.order("Handing over in bulk helps", "design 4", "design 5", ALL),
        Relation(
            "Design 5 is about as fast as the base",
            (
                Part("design 5", _FIFTH, AtMost(1.15), 1.0),
                Part("design 5", _FIFTH, AtLeast(0.85), 1.0),
            ),
        ),
    ),
    notes=(
        allocators.LEA_NOTE,
        programs.WAITING_NOTE,
        "Design 3 wakes a sleeping thread whenever its queue was empty: table-1 has what that takes.",
    ),
)
