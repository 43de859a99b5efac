"""Section 5.2: aborts of the hash set, which the allocator causes."""

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import Difference
from ...study.relation import AtLeast
from . import allocators, programs
from .allocators import FOUR, GLIBC_2011, HOARD, TBB, TCMALLOC
from .shapes import aborts, by_threads

PAPER = {
    "hash": (0.066, 0.010, 0.016, 0.083),
    "tree": (0.025, 0.010, 0.012, 0.017),
}


def _aborts(structure):
    return lambda threads, one: aborts(programs.interleaved(structure, threads), one)


def _more(structure, threads, one, other):
    return Difference(_aborts(structure)(threads, one), _aborts(structure)(threads, other))


def _grid(structure):
    papers = {(8, one): value for one, value in zip(FOUR, PAPER[structure], strict=True)}
    title = f"{programs.TITLES[structure]}: aborts of interleaved runs, of all attempts"
    return by_threads(title, "share", _aborts(structure), papers)


EXPERIMENT = Experiment(
    name="aborts",
    title="Aborts of hash set and tree, 60% updates",
    grids=tuple(map(_grid, PAPER)),
    relations=(
        Relation(
            "Hash set: more transactions abort with Glibc and TCMalloc than with Hoard and TBBMalloc",
            tuple(
                Part(f"{threads} threads, {one.name} less {other.name}",
                     _more("hash", threads, one, other), AtLeast(0.005), None, "share")
                for threads in (2, 8)
                for one in (GLIBC_2011, TCMALLOC)
                for other in (HOARD, TBB)
            ),
            reason=programs.few_cpus("two threads have a CPU each, so that none runs amid the "
                                     "transaction of another that yields"),
        ),
        Relation(
            "Tree: fewest abort with Hoard, by half of the paper's difference",
            tuple(
                Part(f"8 threads, {one.name} less Hoard", _more("tree", 8, one, HOARD),
                     AtLeast(round((share - PAPER["tree"][FOUR.index(HOARD)]) / 2, 4)), None, "share")
                for one, share in zip(FOUR, PAPER["tree"], strict=True)
                if one is not HOARD
            ),
            reason="with Hoard fewest abort, since blocks of 64 bytes share no stripe, but with "
            "TBBMalloc far fewer than in the paper, too",
        ),
    ),
    notes=(programs.INTERLEAVED_NOTE, allocators.NOTE, programs.NOTE),
)  # fmt: skip
