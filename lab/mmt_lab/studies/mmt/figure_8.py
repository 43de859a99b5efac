"""Figure 8: designs 3 to 5, in which the program's own thread allocates."""

from ...experiment import Experiment, Part, Relation
from ...relation import AtLeast, AtMost
from . import allocators, breakdown, figure_7, programs

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
    grids=(figure_7.grid(DESIGNS, PAPER), breakdown.grid(BASE, DESIGNS)),
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
        "Design 3 differs from design 4 in its primitives alone. In both the memory thread polls, so "
        "that no free has to wake it. A lock stands before the library, for both threads: pthread's "
        "puts who finds it taken to sleep, and its release wakes the sleeper, a system call each. "
        "'strace -f -c -e futex' in front of the program, with LD_PRELOAD given to it by -E, counts them: "
        "hundreds to a thousand in 20,000 steps of the program 'paced'. Without -c it lists them, by "
        "their address nearly all on this lock, and none on the semaphore. In the second grid waiting "
        "for the lock is in design 3's parts of the C library and the kernel, and in design 4's of the "
        "protocol's library.",
        breakdown.NOTE,
        "Why design 5 is not near the base here: in the second grid the program's thread spends more "
        "time in the allocator's library than the base does, though it no longer calls free, as the "
        "library's lists and the blocks come from the other core's cache; and it spends time in the "
        "protocol's library, where it waits for the lock, which the memory thread takes for each block "
        "that it frees. table-1 has what a line's way to another core costs.",
    ),
)
