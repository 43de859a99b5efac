"""Our protocol over any allocator, and what there would be to gain at most. An experiment of ours."""

from ...study.experiment import Cell, Experiment, Grid, Kind, Part, Relation, Run
from ...study.quantity import Difference, GeometricMean, Measured, Ratio
from ...study.relation import AtLeast, AtMost
from . import allocators, programs
from .shapes import over_base, peak, wall

BASES = {
    "glibc": allocators.GLIBC,
    "PHK": allocators.PHK,
    "jemalloc": allocators.JEMALLOC,
    "mimalloc": allocators.MIMALLOC,
}
MEAN = "geometric mean"
ROWS = (*(one.name for one in programs.ALL), MEAN)
# What each program needs, in MiB, and some more.
ROOM = {
    "cfrac": 16,
    "deltablue": 176,
    "gawk": 192,
    "mst": 176,
    "perimeter": 144,
    "roboop": 16,
    "treeadd": 112,
}


def ours(base):
    return allocators.over(base, "mmt", "mmt")


# The heap from which on it tries huge pages, in MiB: 0 is never.
SMALL_PAGES = allocators.over(allocators.GLIBC, "mmt", "mmt, small pages", "huge=0")


def _cpu(program, allocator):
    return Measured(Run(Kind.TIMED, program, allocator), "cpu")


def _at_ceiling(program):
    allocator = allocators.ceiling(ROOM[program.name])
    setup = Measured(Run(Kind.TIMED, program, allocator), "reported.setup")
    return Difference(wall(program, allocator), setup)


def _speed(program, base):
    return Ratio(wall(program, base), wall(program, ours(base)))


def _ceiling(program, base):
    return Ratio(wall(program, base), _at_ceiling(program))


def _share(program, base):
    """The share of what there is to gain at most; the base's time falls out of speed over ceiling."""
    return Ratio(_at_ceiling(program), wall(program, ours(base)))


def _against_glibc(allocator):
    return lambda program: Ratio(wall(program, allocators.GLIBC), wall(program, allocator))


def _mean(of):
    return GeometricMean(tuple(of(one) for one in programs.ALL))


def _grid(title, columns):
    """`columns`: {name: quantity of a program}."""
    cells = {}
    for column, of in columns.items():
        for one in programs.ALL:
            cells[one.name, column] = Cell(of(one))
        cells[MEAN, column] = Cell(_mean(of))
    return Grid(title, "ratio", "benchmark", ROWS, tuple(columns), cells, chart_column="*")


def _over_each(of):
    return {name: lambda one, base=base: of(one, base) for name, base in BASES.items()}


def _of_metric(metric):
    return _over_each(lambda one, base: Ratio(metric(one, ours(base)), metric(one, base)))


def _speed_mean(name):
    return _mean(lambda one: _speed(one, BASES[name]))


EXPERIMENT = Experiment(
    name="any-allocator",
    title="Our protocol over allocators of today",
    grids=(
        _grid("How many times as fast as the allocator alone (wall time)", _over_each(_speed)),
        _grid(
            "The ceiling: how many times as fast with allocation at nearly no cost; and, against "
            "glibc, parts of what ours does, alone",
            {
                "over glibc": lambda one: _ceiling(one, allocators.GLIBC),
                "over PHK": lambda one: _ceiling(one, allocators.PHK),
                "glibc, huge pages": _against_glibc(allocators.GLIBC_HUGE),
                "glibc, the same thresholds": _against_glibc(allocators.GLIBC_THRESHOLDS),
                "ours over glibc, small pages": _against_glibc(SMALL_PAGES),
            },
        ),
        _grid("CPU time, base: the allocator alone", _of_metric(_cpu)),
        _grid("Peak resident memory, base: the allocator alone", _of_metric(peak)),
    ),
    relations=(
        *(
            Relation(
                f"Ours: over {name} no program is slower than over {name} alone",
                tuple(Part(one.name, _speed(one, base), AtLeast(0.98)) for one in programs.ALL),
            )
            for name, base in BASES.items()
        ),
        Relation(
            "Ours: programs are 1.19 times as fast, by the geometric mean",
            tuple(
                Part(f"over {name}", _speed_mean(name), AtLeast(1.19))
                for name in ("glibc", "PHK")
            ),
        ),
        Relation(
            "Ours: on average they take 0.84 of the time, as the paper counts it",
            tuple(
                Part(f"over {name}", over_base(ours(BASES[name]), BASES[name]), AtMost(0.84), 0.84)
                for name in ("glibc", "PHK")
            ),
        ),
        Relation(
            "Ours: they are nearly as fast as with allocation at nearly no cost",
            tuple(
                Part(
                    f"share of the ceiling over {name}",
                    _mean(lambda one, base=BASES[name]: _share(one, base)),
                    AtLeast(0.9),
                )
                for name in ("glibc", "PHK")
            ),
        ),
    ),
    notes=(
        programs.NOTE,
        "The ceiling is libmmt-ceiling.so: a list of free blocks for each size, new ones from memory "
        "that was made resident before the program began, by huge pages; the time of that is left out.",
        "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 asks for huge pages wherever glibc's heap grows; where "
        "the host has to find the memory, the program waits for each.",
        "'The same thresholds' are glibc's with which ours runs (MALLOC_TOP_PAD_ of 16 MiB, "
        "MALLOC_MMAP_THRESHOLD_ of 32 and MALLOC_TRIM_THRESHOLD_ of 64 MiB), without a thread; 'small "
        "pages' is ours with the option huge=0. Beside 'glibc, huge pages' they tell what of ours is "
        "the thread's: making memory resident ahead.",
        "Ours leaves the calls where they are, in the program's thread and the library's code. It "
        "offloads one thing only, that memory is made resident, and so it adapts to each heap as it "
        "grows, not to size classes as the paper's preallocation does. A program whose heap does not "
        "grow has nothing to gain by it.",
        "The share of the ceiling is the geometric mean over programs of the time at the ceiling over "
        "the time with ours: of how many times as fast ours makes a program over how many it could be.",
        "The paper's 1.19 is over Lea's and PHK, and one over 0.84, its arithmetic mean of the times "
        "with against those without. Of speeds the geometric mean is the larger of the two here.",
    ),
)
