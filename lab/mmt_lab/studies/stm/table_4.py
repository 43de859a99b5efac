"""Table 4: aborts, and misses of the first-level cache, of the sorted list."""

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import Difference, Ratio
from ...study.relation import AtLeast, WithinFactor
from . import allocators, programs
from .allocators import DENSE, FOUR, GLIBC_2011
from .settings import OursAlone
from .shapes import aborts, by_threads, caches

# By threads, in the order of the paper's allocators: aborts and misses.
PAPER = {
    1: ((0.0, 0.046), (0.0, 0.032), (0.0, 0.032), (0.0, 0.032)),
    2: ((0.104, 0.050), (0.174, 0.034), (0.173, 0.033), (0.174, 0.033)),
    4: ((0.309, 0.052), (0.454, 0.036), (0.450, 0.035), (0.451, 0.035)),
    6: ((0.441, 0.052), (0.612, 0.036), (0.608, 0.035), (0.610, 0.035)),
    8: ((0.557, 0.053), (0.706, 0.036), (0.702, 0.035), (0.697, 0.035)),
}

OVERLAP = "transactions overlap by yields, and how many abort follows how often threads yield"


def _paper(which):
    return {
        (threads, one): pair[which]
        for threads, pairs in PAPER.items()
        for one, pair in zip(FOUR, pairs, strict=True)
    }


def _missed(threads, allocator):
    program = programs.counted("list", threads)
    return Ratio(
        caches(program, allocator, "l1_misses"), caches(program, allocator, "references")
    )


def _aborts(threads, allocator):
    return aborts(programs.interleaved("list", threads), allocator)


def _misses_against(threads, one):
    """Glibc's over another's; the paper's beside it."""
    papers = _paper(1)
    return Part(
        f"{threads} thread{'' if threads == 1 else 's'}, against {one.name}",
        Ratio(_missed(threads, GLIBC_2011), _missed(threads, one)),
        AtLeast(1.2),
        papers[threads, GLIBC_2011] / papers[threads, one],
    )


def _scheduled(threads, allocator):
    return aborts(programs.synthetic("list", threads), allocator)


def _more_aborts(threads, allocator):
    return Difference(_aborts(threads, allocator), _aborts(threads, GLIBC_2011))


EXPERIMENT = Experiment(
    name="table-4",
    title="Sorted list: aborted transactions and misses of the first-level cache",
    grids=(
        by_threads("Aborts of interleaved runs, of all attempts", "share", _aborts, _paper(0)),
        by_threads("Aborts as the scheduler has them", "share", _scheduled),
        by_threads("Misses of the L1 data cache, of accesses", "share", _missed, _paper(1)),
    ),
    relations=(
        Relation(
            "With nodes of 16 bytes more transactions abort than with Glibc's of 32",
            tuple(
                Part(f"{threads} threads, {one.name}", _more_aborts(threads, one), AtLeast(0.02),
                     _paper(0)[threads, one] - _paper(0)[threads, GLIBC_2011], "share")
                for threads in (2, 8)
                for one in DENSE
            ),
        ),
        Relation(
            "Glibc's nodes miss more often",
            tuple(_misses_against(1, one) for one in DENSE),
        ),
        OursAlone(
            "Glibc's nodes miss more often with 8 threads, too",
            tuple(_misses_against(8, one) for one in DENSE),
        ),
        OursAlone(
            "Misses are more with 8 threads than with one",
            tuple(
                Part(one.name, Ratio(_missed(8, one), _missed(1, one)), AtLeast(1.0),
                     _paper(1)[8, one] / _paper(1)[1, one])
                for one in FOUR
            ),
            reason="where caches are simulated threads run in turn on one cache, where one finds what another loaded",
        ),
        Relation(
            "Half of the attempts abort with Glibc and 8 threads",
            (Part("aborts", _aborts(8, GLIBC_2011), WithinFactor(1.5, 0.557), 0.557, "share"),),
            reason=OVERLAP,
        ),
        OursAlone(
            "As many abort as in the paper, within 2 times",
            tuple(
                Part(f"{threads} threads, {one.name}", _aborts(threads, one), WithinFactor(2, paper), paper,
                     "share")
                for (threads, one), paper in _paper(0).items()
                if threads > 1
            ),
            reason=OVERLAP,
        ),
    ),
    notes=(
        "Misses are simulated by cachegrind with the paper's caches (32 KiB, 8 ways), over as many "
        "operations of each thread, one thread at a time.",
        programs.INTERLEAVED_NOTE,
        allocators.NOTE,
        programs.NOTE,
    ),
)  # fmt: skip
