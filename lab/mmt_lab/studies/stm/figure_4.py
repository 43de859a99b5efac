"""Figure 4: throughput of the structures."""

from ...study.experiment import Experiment, Relation
from ...study.quantity import Ratio
from . import allocators, programs
from .allocators import GLIBC_2011, HOARD, TBB, TCMALLOC
from .shapes import at_least, by_threads, throughput

# The paper's raw data, which it does not print: 8 threads, 60% updates.
LIST_PAPER = {
    (8, one): value
    for one, value in zip(allocators.FOUR, (51e3, 48e3, 45e3, 46e3), strict=True)
}


def _grid(structure):
    return by_threads(
        f"{programs.TITLES[structure]}: transactions",
        "per_s",
        lambda threads, one: throughput(programs.synthetic(structure, threads), one),
        LIST_PAPER if structure == "list" else None,
    )


def _over(structure, threads, one, other):
    program = programs.synthetic(structure, threads)
    return Ratio(throughput(program, one), throughput(program, other))


EXPERIMENT = Experiment(
    name="figure-4",
    title="Throughput of list, hash set and tree, 60% updates",
    grids=tuple(map(_grid, programs.STRUCTURES)),
    relations=(
        Relation(
            "Glibc is the best for the list, although its nodes take twice the memory",
            tuple(
                at_least(f"8 threads, against {one.name}", _over("list", 8, GLIBC_2011, one), 1.0)
                for one in (HOARD, TBB, TCMALLOC)
            ),
            reason=programs.LITTLE_OVERLAP,
        ),
        Relation(
            "Hoard and TBBMalloc are better for the hash set than TCMalloc and Glibc",
            tuple(
                at_least(f"{threads} threads, {one.name} against {other.name}",
                         _over("hash", threads, one, other), 1.0)
                for threads in (2, 8)
                for one in (HOARD, TBB)
                for other in (TCMALLOC, GLIBC_2011)
            ),
            reason=programs.LITTLE_OVERLAP,
        ),
        Relation(
            "TBBMalloc is better for the tree than Glibc",
            (at_least("8 threads", _over("tree", 8, TBB, GLIBC_2011), 1.0),),
        ),
    ),
    notes=(
        "4096 of 8192 values; an update inserts one, the thread's next removes it again.",
        allocators.NOTE,
        programs.NOTE,
    ),
)  # fmt: skip
