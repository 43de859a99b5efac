"""Table 6: the best and the worst allocator for each application."""

from ...study.experiment import Experiment
from . import allocators, best_and_worst, programs
from .shapes import seconds

# {application: (best, worst, difference, threads)}
PAPER = {
    "bayes": ("Hoard", "Glibc", 0.476, 4),
    "genome": ("TBBMalloc", "Glibc", 0.144, 8),
    "intruder": ("TBBMalloc", "Hoard", 0.242, 8),
    "labyrinth": ("TCMalloc", "Hoard", 0.096, 8),
    "vacation": ("TCMalloc", "Hoard", 0.241, 8),
    "yada": ("TCMalloc", "Glibc", 1.709, 8),
}


def _program(application):
    return programs.stamp(application, PAPER[application][3])


EXPERIMENT = Experiment(
    name="table-6",
    title="Best and worst allocators for each application, at the paper's number of threads",
    grids=(
        best_and_worst.grid(
            "The worst's time over the best's, less one",
            {
                f"{one}, {programs.count_of(threads)}": (_program(one), difference, threads)
                for one, (_, _, difference, threads) in PAPER.items()
            },
            seconds,
        ),
    ),
    relations=(
        *(
            best_and_worst.relation(
                f"{one}: {best} is better than {worst}",
                best, worst, _program(one), difference, best_and_worst.less(seconds),
                programs.LITTLE_WAITING,
            )
            for one, (best, worst, difference, _) in PAPER.items()
        ),
        best_and_worst.extremes(PAPER, _program, seconds, False, programs.LITTLE_WAITING),
        best_and_worst.differences(PAPER, _program, seconds, programs.LITTLE_WAITING),
        best_and_worst.most_and_least(
            "Yada's four are the furthest apart, Labyrinth's the nearest", "yada", "labyrinth", PAPER, _program,
            seconds, programs.LITTLE_WAITING,
        ),
    ),
    not_compared=(best_and_worst.THREADS,),
    notes=(best_and_worst.NOTE, allocators.NOTE, programs.STAMP_NOTE),
)  # fmt: skip
