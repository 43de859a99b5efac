"""Table 3: the best and the worst allocator for each structure."""

from ...study.experiment import Experiment
from . import allocators, best_and_worst, programs
from .shapes import throughput

# {structure: (best, worst, difference, threads)}
PAPER = {
    "list": ("Glibc", "TBBMalloc", 0.1312, 8),
    "hash": ("Hoard", "TCMalloc", 0.1852, 6),
    "tree": ("TBBMalloc", "Glibc", 0.1476, 8),
}


def _program(structure):
    return programs.synthetic(structure, PAPER[structure][3])


EXPERIMENT = Experiment(
    name="table-3",
    title="Best and worst allocators for each structure, at the paper's number of threads",
    grids=(
        best_and_worst.grid(
            "The best's throughput over the worst's, less one",
            {
                f"{programs.TITLES[one]}, {programs.count_of(threads)}": (
                    _program(one), difference, threads,
                )
                for one, (_, _, difference, threads) in PAPER.items()
            },
            throughput,
        ),
    ),
    relations=(
        *(
            best_and_worst.relation(
                f"{programs.TITLES[one]}: {best} is better than {worst}",
                best, worst, _program(one), difference, best_and_worst.more(throughput),
                programs.LITTLE_OVERLAP,
            )
            for one, (best, worst, difference, _) in PAPER.items()
        ),
        best_and_worst.extremes(PAPER, _program, throughput, True, programs.LITTLE_OVERLAP),
        best_and_worst.differences(PAPER, _program, throughput, programs.LITTLE_OVERLAP),
    ),
    not_compared=(best_and_worst.THREADS,),
    notes=(best_and_worst.NOTE, allocators.NOTE),
)  # fmt: skip
