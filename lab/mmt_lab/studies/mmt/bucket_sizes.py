"""Section V-E: the number of blocks in a bucket, and in a queue of freed ones."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtLeast, AtMost, WithinFactor
from . import allocators, programs
from .shapes import wall

BASE = allocators.LEA
SIZES = (25, 50, 200, 400, 1000, 4000)
# Those that show it soonest: small blocks in quick succession.
PROGRAMS = programs.among(programs.WAITING, "cfrac", "roboop", "perimeter")
# Larger buckets for larger blocks, by k = 4: the design as it is.
GROWING = allocators.over(BASE, "preallocate", "preallocate")


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


KINDS = {"buckets": _of_bucket, "queues": _of_queue}


def _against_200(claim, sizes, condition, paper=None):
    parts = tuple(
        Part(
            f"{program.name}, {what} of {size} against 200",
            Ratio(wall(program, make(size)), wall(program, make(200))),
            condition,
            paper,
        )
        for program in PROGRAMS
        for what, make in KINDS.items()
        for size in sizes
        if what != "queues" or program in programs.FREEING  # the others fill no queue
    )
    return Relation(claim, parts)


EXPERIMENT = Experiment(
    name="bucket-sizes",
    title="How much is prepared and handed over at a time",
    grids=(
        _grid("Wall time by the bucket's size, base: Lea", _of_bucket),
        _grid("Wall time by the queue's size, base: Lea", _of_queue),
    ),
    relations=(
        _against_200(
            "Between 200 and 400 the size does not matter", (400,), WithinFactor(1.1, 1.0), 1.0
        ),
        _against_200("Less than 50 or more than 1000 is worse", (25, 4000), AtLeast(1.0)),
        Relation(
            "Buckets that grow with the size, by k = 4, are no worse than buckets of 400 for each",
            tuple(
                Part(one.name, Ratio(wall(one, GROWING), wall(one, _of_bucket(400))), AtMost(1.05))
                for one in PROGRAMS
            ),
        ),
    ),
    notes=(
        "The paper finds 200 to 400 good, and less than 50 or more than 1000 noticeably worse, "
        "without numbers. Buckets: base=N,slope=0, so that the size is the same for each request; "
        "queues: queue=N.",
        "The paper pays for small buckets by more hand-overs, and for large ones as the program waits "
        "while the memory thread fills them. Where a size outside of its range is no worse here, the "
        "cause is not known; the program waits for the memory thread at the usual size too "
        "(figure-9's grid of where the time goes). perimeter only allocates: no size of queues is "
        "asked of it.",
        programs.WAITING_NOTE,
    ),
)
