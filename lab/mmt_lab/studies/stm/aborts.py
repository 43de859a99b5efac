"""Section 5.2: aborts of the hash set, which the allocator causes."""

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import Difference
from ...study.relation import AtLeast
from . import allocators, programs
from .allocators import FOUR, GLIBC_2011, HOARD, TBB, TCMALLOC
from .shapes import aborts, by_threads

# The paper's raw data, which it does not print.
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
                Part(f"8 threads, {one.name} less {other.name}", _more("hash", 8, one, other),
                     AtLeast(0.005), None, "share")
                for one in (GLIBC_2011, TCMALLOC)
                for other in (HOARD, TBB)
            ),
        ),
        Relation(
            "Tree: fewest abort with Hoard",
            tuple(
                Part(f"8 threads, {one.name} less Hoard", _more("tree", 8, one, HOARD), AtLeast(0.0), None,
                     "share")
                for one in (GLIBC_2011, TBB, TCMALLOC)
            ),
        ),
        Relation(
            "Tree: most abort with Glibc",
            tuple(
                Part(f"8 threads, Glibc less {one.name}", _more("tree", 8, GLIBC_2011, one), AtLeast(0.0),
                     None, "share")
                for one in (HOARD, TBB, TCMALLOC)
            ),
        ),
        Relation(
            "Tree: more abort with the others than with Hoard, by half of the paper's difference",
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
