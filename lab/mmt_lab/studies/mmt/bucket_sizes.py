"""Section V-E: the number of blocks in a bucket, and in a queue of freed ones."""

from ...experiment import Cell, Experiment, Grid, Part, Relation
from ...quantity import Ratio
from ...relation import WithinFactor
from . import allocators, programs
from .shapes import wall

BASE = allocators.LEA
SIZES = (25, 50, 200, 400, 1000, 4000)
# Those that show it soonest: small blocks in quick succession.
PROGRAMS = tuple(one for one in programs.ALL if one.name in ("cfrac", "roboop", "perimeter"))


def _of_bucket(size):
    options = f"base={size},slope=0"
    return allocators.over(BASE, "preallocate", f"preallocate, buckets of {size},", options)


def _of_queue(size):
    return allocators.over(BASE, "preallocate", f"preallocate, queues of {size},", f"queue={size}")


def _grid(title, make):
    cells = {
        (program.name, str(size)): Cell(Ratio(wall(program, make(size)), wall(program, BASE)))
        for program in PROGRAMS
        for size in SIZES
    }
    rows = tuple(one.name for one in PROGRAMS)
    return Grid(title, "ratio", "benchmark", rows, tuple(map(str, SIZES)), cells, chart_column="*")


EXPERIMENT = Experiment(
    name="bucket-sizes",
    title="How much is prepared and handed over at a time",
    grids=(
        _grid("Wall time by the bucket's size, base: Lea", _of_bucket),
        _grid("Wall time by the queue's size, base: Lea", _of_queue),
    ),
    relations=(
        Relation(
            "Between 200 and 400 the size does not matter",
            tuple(
                Part(
                    f"{program.name}, {what} of 400 against 200",
                    Ratio(wall(program, make(400)), wall(program, make(200))),
                    WithinFactor(1.1, 1.0),
                    1.0,
                )
                for program in PROGRAMS
                for what, make in (("buckets", _of_bucket), ("queues", _of_queue))
            ),
        ),
    ),
    notes=("The paper finds 200 to 400 good, and less than 50 or more than 1000 worse.",),
)
