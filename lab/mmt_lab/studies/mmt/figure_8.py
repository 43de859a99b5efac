"""Figure 8: designs 3 to 5, in which the program's own thread allocates."""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtLeast, Between, WithinFactor
from . import allocators, breakdown, figure_7, figure_9, programs
from .shapes import AVERAGES_NOTE, against, normalised

BASE = allocators.LEA
DESIGNS = {
    "design 3": allocators.over(BASE, "main-alloc-pthread", "main-alloc-pthread"),
    "design 4": allocators.over(BASE, "main-alloc-minimalist", "main-alloc-minimalist"),
    "design 5": allocators.over(BASE, "main-alloc-bulk", "main-alloc-bulk"),
}
# Controlled experiments of ours.
SPINNING = allocators.over(
    BASE, "main-alloc-pthread", "main-alloc-pthread, a lock that spins", "lock=spinning"
)
# Its memory thread sleeps for the whole run: the program, whose queue stays full, frees by itself.
ASLEEP = allocators.over(
    BASE, "main-alloc-bulk", "main-alloc-bulk, a memory thread that sleeps", "starve=60000"
)
# Lea as it is, but for a branch in each call.
PLAIN = allocators.delayed(0)
IDLE = allocators.with_idle_thread(PLAIN)
CONTROLS = {
    "design 3, spinning": (BASE, SPINNING),
    "design 5, asleep": (BASE, ASLEEP),
    "Lea, an idle second thread": (PLAIN, IDLE),
}
PAPER = {"design 3": 1.46, "design 4": 1.33, "design 5": 1.0}
SLOWER = {name: DESIGNS[name] for name in ("design 3", "design 4")}
FINAL = {"final": allocators.over(BASE, "preallocate", "preallocate")}
ALL = figure_7.DESIGNS | DESIGNS | FINAL
PAPERS = figure_7.PAPER | PAPER | {"final": figure_9.PAPER["preallocate"]}


def _order(claim, slower, faster):
    return figure_7.order(claim, slower, faster, ALL, PAPERS)


EXPERIMENT = Experiment(
    name="figure-8",
    title="Only free is offloaded: wall time against the allocator alone",
    grids=(
        figure_7.grid(DESIGNS, PAPER),
        breakdown.grid(BASE, DESIGNS),
        normalised(
            "Controls: wall time, base: Lea",
            {name: base for name, (base, _) in CONTROLS.items()},
            {name: one for name, (_, one) in CONTROLS.items()},
            {},
            of=programs.WAITING,
        ),
    ),
    relations=(
        _order("Allocating in the program's thread helps", "design 2", "design 3"),
        figure_7.order_in_each("Ours: it does in each program", "design 2", "design 3", ALL),
        figure_7.order_in_each(
            "Ours: with the same primitives it does in each program", "design 2", "design 4", ALL
        ),
        figure_7.slower("Designs 3 and 4 are slower than the base", SLOWER, PAPER, 1.1),
        figure_7.of_papers_size("Their slow-down is of the paper's size", SLOWER, PAPER),
        Relation(
            "In design 3 malloc and free take twice to three times as long as in the base",
            (
                Part(
                    "design 3 over the base",
                    breakdown.against_base(breakdown.CALLS, DESIGNS["design 3"], BASE),
                    Between(2.0, 3.0),
                ),
            ),
        ),
        Relation(
            "In design 3 the program's own code takes longer",
            (
                Part(
                    "design 3 over the base",
                    breakdown.against_base(("own code",), DESIGNS["design 3"], BASE),
                    AtLeast(1.0),
                ),
            ),
        ),
        _order("Minimal primitives help", "design 3", "design 4"),
        _order("Handing over in bulk helps", "design 4", "design 5"),
        Relation(
            "Design 5 is about as fast as the base",
            (
                Part(
                    "design 5",
                    figure_7.average(DESIGNS["design 5"]),
                    WithinFactor(1.15, 1.0),
                    1.0,
                ),
            ),
        ),
        figure_7.slower_in_each(
            "Design 5 slows cfrac and roboop down",
            DESIGNS["design 5"],
            programs.among(programs.WAITING, "cfrac", "roboop"),
        ),
        Relation(
            "Ours: it is that the memory thread frees which keeps it from there",
            (
                Part(
                    "design 5 against itself with a memory thread that sleeps",
                    against(DESIGNS["design 5"], ASLEEP, BASE, programs.WAITING),
                    AtLeast(1.15),
                ),
            ),
        ),
        _order("To preallocate in bulk helps", "design 5", "final"),
        Relation(
            "Ours: design 3's lock costs more as it sleeps",
            (
                Part(
                    "design 3 against itself with a lock that spins",
                    against(DESIGNS["design 3"], SPINNING, BASE, programs.WAITING),
                    AtLeast(1.0),
                ),
            ),
        ),
    ),
    notes=(
        allocators.LEA_NOTE,
        programs.WAITING_NOTE,
        AVERAGES_NOTE,
        "Design 3 differs from design 4 in its primitives alone. In both the memory thread polls, so "
        "that no free has to wake it. A lock stands before the library, for both threads: pthread's "
        "puts who finds it taken to sleep, and its release wakes the sleeper, a system call each. The "
        "first control is design 3 with the same lock of pthread's, which is tried again and again "
        "instead ('lock=spinning').",
        "By program, design 3 is behind design 2 where much is freed, as each free of its takes a lock "
        "and a semaphore of pthread's, and its memory thread the library's lock for each. Designs 1 and "
        "2 wait by minimal primitives, as the paper's do: 'In all designs, we use the minimal "
        "synchronization primitives discussed in Section III-E2, unless otherwise noted', which it "
        "notes of design 3. (They are in its III-E1, as it says of design 4; III-E2 does without "
        "semaphores.) By pthread's semaphores a request and its answer take some hundred times as long "
        "(table-1). The like of design 2 with the same primitives is design 4: the third relation.",
        breakdown.NOTE,
        breakdown.PAPER_NOTE,
        "By the paper design 3 doubles the time of malloc and triples that of free: the two together "
        "lie between. Here they are what the program's thread has in the three libraries, as pthread's "
        "locks are in the C library; its sleep is the kernel's, and left out.",
        "Why design 5 is not near the base here, step by step. A library that "
        "knows of threads takes its lock as soon as there are two: the third control has what that "
        "costs alone, with a thread that sleeps. The design's own lock comes on top, and its queue: the "
        "second control has all three, as its memory thread sleeps from its start to the run's end "
        "('starve=60000') and the program frees by itself. The rest is that the memory thread frees: the "
        "program waits for the lock, which it takes for each block (the protocol's library in the second "
        "grid), and finds the allocator's lines on another core (the allocator's library). table-1 has "
        "what a line's way there costs; by library-cost, the longer the calls, the nearer design 5 is "
        "to the base.",
    ),
)
