"""Table 4: what the memory-intensive benchmarks allocate."""

import itertools

from ...study.experiment import Cell, Experiment, Grid, Kind, Part, Relation, Run
from ...study.quantity import Measured, Ratio
from ...study.relation import AtLeast, AtMost, WithinFactor
from . import allocators, table_5
from .programs import MEMORY_INTENSIVE

COLUMNS = {
    "objects": ("objects", "count"),
    "total memory": ("bytes", "bytes"),
    "max in use": ("peak_bytes", "bytes"),
    "average size": ("mean_size", "mean"),
    "memory ops": ("operations", "count"),
}
RATE = "memory ops/sec"
PAPER = {
    "cfrac": (10_890_166, 222_745_704, 176_960, 20.45, 21_780_289, 1_207_862),
    "espresso": (4_477_737, 1_130_107_232, 389_152, 252.38, 8_955_367, 218_276),
    "lindsay": (108_862, 7_418_120, 1_510_840, 68.14, 217_678, 72_300),
    "lrusim": (39_139, 1_592_992, 1_581_552, 40.70, 78_181, 94),
    "perl": (8_548_435, 162_451_960, 293_928, 19.00, 17_091_308, 257_809),
    "roboop": (9_268_221, 332_058_248, 16_376, 35.83, 18_536_397, 1_701_786),
}
# What a stand-in must be like to stand in.
ALIKE = ("objects", "max in use", "average size")
FACTOR = 2
# Those whose total memory is no multiple of what is in use at most.
KEEPING = ("lindsay", "lrusim")


def _counted(program, column):
    return Measured(Run(Kind.COUNTED, program), COLUMNS[column][0])


def _quantity(program, column):
    if column != RATE:
        return _counted(program, column)
    return Ratio(_counted(program, "memory ops"), table_5.measured(program, allocators.LEA))


def _cells():
    for program in MEMORY_INTENSIVE:
        for column, value in zip((*COLUMNS, RATE), PAPER[program.name], strict=True):
            yield (program.name, column), Cell(_quantity(program, column), value)


CELLS = dict(_cells())


def _over(label, top, bottom, condition, unit="ratio"):
    """One cell over another."""
    ratio = Ratio(CELLS[top].quantity, CELLS[bottom].quantity)
    return Part(label, ratio, condition, CELLS[top].paper / CELLS[bottom].paper, unit)


def _rate(one, other, least, unit="ratio"):
    return _over(f"{one} against {other}", (one, RATE), (other, RATE), AtLeast(least), unit)


def _turnovers():
    for program in MEMORY_INTENSIVE:
        name = program.name
        condition = AtMost(10) if name in KEEPING else AtLeast(100)
        yield _over(name, (name, "total memory"), (name, "max in use"), condition)


# By the paper's rates, the highest first.
BY_RATE = sorted(PAPER, key=lambda name: CELLS[name, RATE].paper, reverse=True)


def _parts():
    for program in MEMORY_INTENSIVE:
        for column in ALIKE:
            cell = CELLS[program.name, column]
            unit = COLUMNS[column][1]
            label = f"{program.name}, {column}"
            yield Part(label, cell.quantity, WithinFactor(FACTOR, cell.paper), unit=unit)


EXPERIMENT = Experiment(
    name="table-4",
    title="Statistics of the memory-intensive benchmarks",
    grids=(
        Grid(
            title="What each program allocates",
            unit="count",
            row_title="benchmark",
            rows=tuple(one.name for one in MEMORY_INTENSIVE),
            columns=(*COLUMNS, RATE),
            cells=CELLS,
            column_units={name: unit for name, (_, unit) in COLUMNS.items()} | {RATE: "per_s"},
        ),
    ),
    relations=(
        Relation(
            "Objects, peak and average size of every program are within a factor of "
            f"{FACTOR} of the paper's",
            tuple(_parts()),
        ),
        Relation(
            "Total memory is many times what is in use at most, but in lindsay and lrusim",
            tuple(_turnovers()),
        ),
        Relation(
            "Programs have the paper's order by operations a second",
            tuple(_rate(one, other, 1.0) for one, other in itertools.pairwise(BY_RATE)),
        ),
        Relation(
            "The highest rate is 10,000 times the lowest",
            (_rate(BY_RATE[0], BY_RATE[-1], 10_000, "count"),),
            reason="our lrusim needs less than a second for its objects; the paper's ran 832 s",
        ),
    ),
    notes=(
        "Of C++ programs the block that libstdc++ takes at start (72,704 bytes) is not counted. "
        "Operations a second are over the run time with the Lea allocator, as in the paper.",
    ),
)
