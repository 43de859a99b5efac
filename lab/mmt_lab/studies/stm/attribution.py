"""Why transactions abort: true conflicts, shared stripes, aliases; confirmed by taking each cause away.
An experiment of ours."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Difference, Ratio
from ...study.relation import AtLeast, AtMost
from . import allocators, programs
from .allocators import DENSE, GLIBC_2011, HOARD, TBB, TCMALLOC
from .settings import OursAlone
from .shapes import aborts, reported

THREADS = 8
CAUSES = {
    "the same word": "true_share",
    "its stripe": "stripe_share",
    "an alias": "alias_share",
    "no word": "no_word_share",
}
# Each takes a cause away and leaves the others.
CONTROLS = {
    "padded to 64 bytes": {"pad": 64},
    "another hash": {"hash": "multiply"},
    "both": {"hash": "multiply", "pad": 64},
    "NOrec": {"design": "norec"},
}


def _attributed(structure, **options):
    return programs.interleaved(structure, THREADS, **options)


def _causes(structure):
    cells = {}
    for one in allocators.ALL:
        cells[one.name, "aborts"] = Cell(aborts(_attributed(structure), one))
        for label, metric in CAUSES.items():
            cells[one.name, label] = Cell(reported(_attributed(structure), one, metric))
    return Grid(
        f"{programs.TITLES[structure]}: aborts by cause, of all attempts; {programs.count_of(THREADS)}",
        "share", "allocator", allocators.NAMES, ("aborts", *CAUSES), cells,
    )  # fmt: skip


def _controlled(structure):
    cells = {}
    for one in allocators.ALL:
        cells[one.name, "as it is"] = Cell(aborts(_attributed(structure), one))
        for label, options in CONTROLS.items():
            cells[one.name, label] = Cell(aborts(_attributed(structure, **options), one))
    return Grid(
        f"{programs.TITLES[structure]}: aborts with a cause taken away",
        "share", "allocator", allocators.NAMES, ("as it is", *CONTROLS), cells,
    )  # fmt: skip


def _avoided(structure, allocator, **options):
    return Difference(
        aborts(_attributed(structure), allocator), aborts(_attributed(structure, **options), allocator)
    )


def _share(structure, allocator, metric, **options):
    return reported(_attributed(structure, **options), allocator, metric)


def _more_without_locks(structure, one, other):
    """A share of all attempts: NOrec's causes are not told apart, and need not be."""
    return Difference(
        aborts(_attributed(structure, design="norec"), one),
        aborts(_attributed(structure, design="norec"), other),
    )


EXPERIMENT = Experiment(
    name="attribution",
    title="Why transactions abort, 60% updates",
    grids=tuple(
        grid for one in programs.STRUCTURES for grid in (_causes(one), _controlled(one))
    ),
    relations=(
        Relation(
            "List: padding avoids the aborts that nodes of 16 bytes add",
            tuple(
                Part(one.name, _avoided("list", one, pad=64), AtLeast(0.02), None, "share")
                for one in DENSE
            ),
        ),
        Relation(
            "List: Glibc's nodes of 32 bytes have none of those",
            (Part("Glibc", _share("list", GLIBC_2011, "stripe_share"), AtMost(0.02), None, "share"),),
        ),
        Relation(
            "Hash set: Glibc's arenas alias, those of Hoard and TBBMalloc do not",
            tuple(
                Part(f"against {one.name}",
                     Difference(_share("hash", GLIBC_2011, "alias_share"),
                                _share("hash", one, "alias_share")),
                     AtLeast(0.005), None, "share")
                for one in (HOARD, TBB)
            ),
        ),
        Relation(
            "Hash set: another hash takes Glibc's aliases away",
            (
                Part("avoided",
                     Difference(_share("hash", GLIBC_2011, "alias_share"),
                                _share("hash", GLIBC_2011, "alias_share", hash="multiply")),
                     AtLeast(0.005), None, "share"),
            ),
        ),
        OursAlone(
            "Tree: Glibc's aborts are of its arenas",
            (
                Part("aliases, of its aborts",
                     Ratio(_share("tree", GLIBC_2011, "alias_share"), aborts(_attributed("tree"), GLIBC_2011)),
                     AtLeast(0.5), None, "share"),
                Part("another hash avoids", _avoided("tree", GLIBC_2011, hash="multiply"), AtLeast(0.005), None,
                     "share"),
            ),
        ),
        Relation(
            "Without locks for stripes allocators differ by none of these",
            (
                *(
                    Part(f"list, {one.name} less Glibc", _more_without_locks("list", one, GLIBC_2011),
                         AtMost(0.02), None, "share")
                    for one in DENSE
                ),
                *(
                    Part(f"hash set, Glibc less {one.name}",
                         _more_without_locks("hash", GLIBC_2011, one), AtMost(0.005), None, "share")
                    for one in (HOARD, TBB)
                ),
            ),
        ),
        Relation(
            "Hash set: TCMalloc's threads meet in stripes, which padding takes away",
            (
                Part("avoided",
                     Difference(_share("hash", TCMALLOC, "stripe_share"),
                                _share("hash", TCMALLOC, "stripe_share", pad=64)),
                     AtLeast(0.005), None, "share"),
            ),
        ),
    ),
    notes=(
        "An abort is put down to the word that was read or written and the words last written under its "
        "lock: the same word; another of the stripe; another stripe of the same lock. A node's own two "
        "words share a stripe however far nodes lie apart. No word: NOrec, which compares values.",
        "The paper's raw data, which it does not print, 8 threads: hash set 6.6, 1.0, 1.6 and 8.3% of "
        "transactions abort (Glibc, Hoard, TBBMalloc, TCMalloc), tree 2.5, 1.0, 1.2 and 1.7%.",
        programs.INTERLEAVED_NOTE,
        allocators.NOTE,
        programs.NOTE,
    ),
)  # fmt: skip
