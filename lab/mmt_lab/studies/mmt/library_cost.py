"""A controlled experiment of ours: the designs over an allocator that is slower by so much."""

from itertools import pairwise

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtLeast, AtMost
from . import allocators, figure_2, programs
from .shapes import request

DELAYS = (0, 50, 100, 200, 400)  # ns a call
WORKS = (0, 50, 100, 200, 400)  # ns between two calls
# The paper's programs, except deltablue, take 74 to 302 ns from one call to the next (its Table II). The
# calls take 30% of the time. So some 50 to 210 ns of computation lie between two calls.
WORK = 100
# A share of the time in calls that is about the paper's.
LIKE_THE_PAPERS = (50, 200)
DESIGNS = {
    "design 1": "sync",
    "design 2": "async-free",
    "design 3": "main-alloc-pthread",
    "design 4": "main-alloc-minimalist",
    "design 5": "main-alloc-bulk",
    "final": "preallocate",
}
PAPERS = tuple(DESIGNS)
DESIGNS |= {
    "slides' design 2": "recycle-shared",
    "slides' design 3": "recycle-sized",
    "ours": "mmt",
}
# The memory thread is there from the first call, as the program ends soon.
OPTIONS = {name: "" if protocol == "mmt" else "start=0" for name, protocol in DESIGNS.items()}
# Design 3 but for one thing: a thread that finds its lock taken spins.
SPINNING = "design 3, spinning"
DESIGNS[SPINNING] = "main-alloc-pthread"
OPTIONS[SPINNING] = "start=0,lock=spinning"
# Design 5 but for one thing: the length of its queue.
SHORT = "design 5, queue of 10"
DESIGNS[SHORT] = "main-alloc-bulk"
OPTIONS[SHORT] = "start=0,queue=10"
CONTROLS = {SPINNING: "spinning", SHORT: "queue of 10"}


def slowdown(design, delay, work=WORK):
    base = allocators.delayed(delay)
    protocol = DESIGNS[design]
    name = f"{protocol}, {CONTROLS[design]}" if design in CONTROLS else protocol
    over = allocators.over(base, protocol, name, OPTIONS[design])
    program = programs.paced(work)
    return Ratio(request(program, over), request(program, base))


def _after(slower, faster, delay):
    ratio = Ratio(slowdown(slower, delay), slowdown(faster, delay))
    return Part(f"{slower} against {faster}", ratio, AtLeast(1.0))


EXPERIMENT = Experiment(
    name="library-cost",
    title="The designs over an allocator whose calls take longer",
    grids=(
        Grid(
            f"Time from call to call, {WORK} ns of computation between them, base: the same "
            "allocator alone",
            "ratio",
            "each call longer by",
            tuple(f"{delay} ns" for delay in DELAYS),
            tuple(DESIGNS),
            {
                (f"{delay} ns", name): Cell(slowdown(name, delay))
                for delay in DELAYS
                for name in DESIGNS
            },
            chart_column="*",
        ),
        Grid(
            "The final design, by the computation between two calls",
            "ratio",
            "each call longer by",
            tuple(f"{delay} ns" for delay in DELAYS),
            tuple(f"{work} ns between" for work in WORKS),
            {
                (f"{delay} ns", f"{work} ns between"): Cell(slowdown("final", delay, work))
                for delay in DELAYS
                for work in WORKS
            },
        ),
        Grid(
            "Meanwhile, nanoseconds that a cache line takes to the other core",
            "ns",
            "what",
            ("a cache line",),
            ("here",),
            {("a cache line", "here"): Cell(figure_2.primitive("line"))},
        ),
    ),
    relations=(
        Relation(
            "Ours: over an allocator as fast as today's the final design cannot win",
            (Part("final, calls as they are", slowdown("final", 0), AtLeast(1.0)),),
        ),
        Relation(
            "Ours: over one whose calls take longer it does, where the program spends a fourth to a "
            "half of its time in them",
            (
                Part("final, 50 ns and 200 ns", slowdown("final", *LIKE_THE_PAPERS), AtMost(0.95), 0.84),
                Part("final, 400 ns and 400 ns", slowdown("final", 400, 400), AtMost(0.95)),
            ),
        ),
        Relation(
            "Ours: it needs time between the calls in which the memory thread can keep up",
            (Part("final, nothing between calls", slowdown("final", 100, 0), AtLeast(1.0)),),
        ),
        *(
            Relation(
                f"Ours: {where} the designs come in the paper's order",
                tuple(_after(slower, faster, delay) for slower, faster in pairwise(PAPERS)),
            )
            for where, delay in (
                ("over the allocator as it is", 0),
                ("over one slower by 100 ns a call", 100),
                ("over one slower by 400 ns a call", 400),
            )
        ),
        Relation(
            "Ours: where calls are long, design 3's lock costs more as it sleeps",
            (
                Part(
                    "design 3 against itself with a lock that spins",
                    Ratio(slowdown("design 3", 200), slowdown(SPINNING, 200)),
                    AtLeast(1.0),
                ),
            ),
        ),
        Relation(
            "Ours: where calls are long, design 5 gains nothing over design 4, whatever its queue's "
            "length",
            tuple(
                Part(
                    f"{one} against design 4",
                    Ratio(slowdown(one, 400), slowdown("design 4", 400)),
                    AtLeast(1.0),
                )
                for one in ("design 5", SHORT)
            ),
        ),
        Relation(
            "Ours: the longer the calls, the nearer design 5 is to the base",
            (
                Part(
                    "400 ns longer against none",
                    Ratio(slowdown("design 5", 400), slowdown("design 5", 0)),
                    AtMost(1.0),
                ),
            ),
        ),
    ),
    notes=(
        "The program frees its oldest block of 32 bytes and allocates a new one, and computes before "
        "either; the allocator is Lea's, which spins for as long as it is told in each call. The "
        "spinning costs some 10 to 20 ns more than its nominal time.",
        "Design 3 differs from design 4 in its primitives alone: either's memory thread polls. For a "
        "call that takes long the memory thread holds the lock before the library as long; pthread's "
        "puts the program's thread to sleep meanwhile, and its release wakes it, by system calls. "
        "'design 3, spinning' has the same lock, which is tried again and again instead.",
        "Where calls take long, design 5 gains nothing over design 4: its one queue is either filled or "
        "emptied, and while the memory thread empties it the program frees blocks itself; design 4's takes a block "
        "while another leaves. The longer the queue the longer either lasts, so that its length changes "
        "nothing: 'design 5, queue of 10'.",
        "Where the host of a virtual machine moves its CPUs about, a line's way gets longer and "
        "shorter, and the designs' times with it: the intervals are wide.",
        "The relations are ours: they explain what differs in figures 7 to 9, and the paper has no "
        "such experiment. Its 0.84 is the average over its programs.",
    ),
)
