"""Figure 11: what PHK's checks cost, in line and behind a memory thread."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Average, AverageOverAverage, Highest, Ratio
from ...study.relation import AtLeast, AtMost, WithinFactor
from . import allocators, figure_9, programs
from .shapes import normalised, over_base, over_highest, overheads, ratios, request

BASE = allocators.PHK
UNCHECKED = {
    "in line": BASE,
    "design 5": allocators.over(BASE, "main-alloc-bulk", "main-alloc-bulk"),
    "recycle-sized": allocators.over(BASE, "recycle-sized", "recycle-sized"),
    "preallocate": allocators.over(BASE, "preallocate", "preallocate"),
    "ours": allocators.over(BASE, "mmt", "mmt"),
}
DESIGNS = {name: allocators.checked(one) for name, one in UNCHECKED.items()}
BEHIND = {name: one for name, one in DESIGNS.items() if name != "in line"}
PAPER = {"in line": 1.21, "preallocate": 1.01}
# Over the same design without checks, for the memory thread derived by what it gains in figure 9.
PAPER_OF_CHECKS = {
    "in line": PAPER["in line"],
    "preallocate": PAPER["preallocate"] / figure_9.PAPER["preallocate"],
}
# "By 44% in the worst case"; "only one benchmark (deltaBlue) still suffers from 41% slowdown".
WORST = {"worst": (Highest, {"in line": 1.44, "preallocate": 1.41})}

# A controlled experiment of ours, with checks that cost more: does the memory thread hide them? C:
# canaries behind each block; F: freed ones wait, and free pages are out of reach.
MORE_CHECKS = ("CJZ", "CFJZ")
SIZES = (128, 256)  # bytes
WORKS = (25, 50, 100)  # ns between two calls
JUDGED_WORK = 25  # there they cost at least 15% in line
LIVE = 1000  # blocks: the heap stays in a core's cache, so that the checks' own work is what counts
# The memory thread is there from the first call, as the program ends soon.
_BEHIND = allocators.over(BASE, "preallocate", "preallocate at once", "start=0")


def _in_line(checks):
    return f"{checks}, in line"


def _behind(checks):
    return f"preallocate, {checks}"


PACED = (
    {_in_line(one): allocators.checked(BASE, one) for one in MORE_CHECKS}
    | {"preallocate": _BEHIND}
    | {_behind(one): allocators.checked(_BEHIND, one) for one in MORE_CHECKS}
)


def _paced(size, work, column, base=BASE):
    program = programs.paced(work, size, LIVE)
    return Ratio(request(program, PACED[column]), request(program, base))


def _row(size, work):
    return f"{size} bytes, {work} ns"


PACED_GRID = Grid(
    "Time from call to call, base: PHK without checks",
    "ratio",
    "block, and computation between calls",
    tuple(_row(size, work) for size in SIZES for work in WORKS),
    tuple(PACED),
    {
        (_row(size, work), column): Cell(_paced(size, work, column))
        for size in SIZES
        for work in WORKS
        for column in PACED
    },
)


def _of_paced(claim, condition, columns, base=BASE):
    parts = tuple(
        Part(
            f"{column}, {_row(size, JUDGED_WORK)}",
            _paced(size, JUDGED_WORK, column, base),
            condition,
        )
        for column in columns
        for size in SIZES
    )
    return Relation(claim, parts)


DELTABLUE = programs.among(programs.ALL, "deltablue")
OTHERS = programs.without(programs.ALL, "deltablue")
IN_LINE = overheads(DESIGNS["in line"], BASE)


def _overhead(claim, quantity, paper):
    """What checks add to the time, within 1.5 times of the paper's: a bound of ours."""
    return Relation(claim, (Part("overhead", quantity, WithinFactor(1.5, paper), paper, "share"),))


def _behind_thread(of):
    return ratios(DESIGNS["preallocate"], BASE, of=of)


def _hidden(claim, name):
    ratio = over_base(DESIGNS[name], BASE)
    return Relation(claim, (Part(name, ratio, AtMost(1.01), PAPER.get(name)),))


def _of_checks(name):
    return over_base(DESIGNS[name], UNCHECKED[name])


EXPERIMENT = Experiment(
    name="figure-11",
    title="PHK with its checks on: wall time against PHK without, in line",
    grids=(
        normalised(
            "Wall time, base: PHK without checks, in line", BASE, DESIGNS, PAPER, extremes=WORST
        ),
        normalised("Wall time, base: PHK with checks, in line", DESIGNS["in line"], BEHIND, {}),
        normalised(
            "Wall time, base: the same design without checks", UNCHECKED, DESIGNS, PAPER_OF_CHECKS
        ),
        PACED_GRID,
    ),
    relations=(
        _overhead("In line the checks cost a fifth of the time", Average(IN_LINE), 0.21),
        _overhead("In the worst case they cost 44%", Highest(IN_LINE), 0.44),
        Relation(
            "Behind a memory thread all but deltablue are as fast as without",
            tuple(
                Part(one.name, ratio, AtMost(1.01))
                for one, ratio in zip(OTHERS, _behind_thread(OTHERS), strict=True)
            ),
        ),
        _overhead(
            "Behind a memory thread the checks cost deltablue 41%",
            *overheads(DESIGNS["preallocate"], BASE, of=DELTABLUE),
            0.41,
        ),
        Relation(
            "Behind a memory thread deltablue is the slowest",
            (
                Part(
                    "deltablue against the slowest other",
                    over_highest(*_behind_thread(DELTABLUE), _behind_thread(OTHERS)),
                    AtLeast(1.0),
                ),
            ),
        ),
        _hidden("A memory thread with checks is as fast as PHK without", "preallocate"),
        _hidden("Ours: so is our protocol", "ours"),
        Relation(
            "Behind a memory thread the checks add no more than in line",
            (
                Part(
                    "preallocate against in line",
                    AverageOverAverage(_of_checks("preallocate"), _of_checks("in line")),
                    AtMost(1.0),
                    PAPER_OF_CHECKS["preallocate"] / PAPER_OF_CHECKS["in line"],
                ),
            ),
        ),
        _of_paced(
            "Ours: more checks cost at least 15% in line, where calls follow soon",
            AtLeast(1.15),
            map(_in_line, MORE_CHECKS),
        ),
        *(
            _of_paced(
                f"Ours: at {JUDGED_WORK} ns between calls the checks {one} take no longer behind the "
                "memory thread than in line",
                AtMost(1.0),
                [_behind(one)],
                PACED[_in_line(one)],
            )
            for one in MORE_CHECKS
        ),
        _of_paced(
            f"Ours: at {JUDGED_WORK} ns between calls a memory thread hides them, against PHK without "
            "checks",
            AtMost(1.01),
            map(_behind, MORE_CHECKS),
        ),
    ),
    notes=(
        programs.NOTE,
        "Checks: MALLOC_OPTIONS=JZ, which overwrites freed blocks and zeroes new ones. Ours leaves "
        "them where they are, in the program's thread, and gains elsewhere what they cost.",
        "Why the checks cost less in line here than the paper's 21% is not known; they are writes of "
        "each block's memory, twice, by the C library's memset.",
        "The paper's 1.01 is against PHK in line without checks, where the memory thread alone takes "
        "0.84 (figure-9): behind it the checks add some 20%, 1.01 over 0.84, as they do in line. What it "
        "gains by itself outweighs them; here it gains nothing. That 1.20 is derived, and so is 0.99.",
        "An overhead is asked for within 1.5 times of the paper's: our bound.",
        "The last grid, a controlled experiment of ours, has more checks: C, canaries behind each "
        "block, and F, freed blocks that wait and are checked, and free pages put out of reach. The "
        "program 'paced' "
        f"frees its oldest of {LIVE} blocks and allocates a new one, and computes before either.",
        "What is not hidden there: the column 'preallocate' is the design's own cost, without any "
        "check; what a column with checks has beyond it is what they add behind the memory thread. F "
        "adds more there than in line, as the memory thread frees and allocates in bulk: whole pages "
        "fall free and serve again, and each time a system call puts them out of reach or back: "
        "'strace -f -c -e mprotect' in front of the program, with LD_PRELOAD given to it by -E, "
        "counts them.",
    ),
)
