"""Figure 7: times of the applications."""

from ...study.experiment import Experiment, NotCompared, Relation
from ...study.quantity import Ratio
from . import allocators, programs
from .allocators import GLIBC_2011, HOARD, TBB, TCMALLOC
from .shapes import at_least, by_threads, seconds

# These are the paper's own data for Yada, with 8 threads.
YADA_PAPER = {
    (8, one): value for one, value in zip(allocators.FOUR, (11.2, 5.4, 4.4, 4.1), strict=True)
}


def _grid(application):
    return by_threads(
        f"{application}: time",
        "s",
        lambda threads, one: seconds(programs.stamp(application, threads), one),
        YADA_PAPER if application == "yada" else None,
    )


def _over(application, threads, worse, better):
    program = programs.stamp(application, threads)
    return Ratio(seconds(program, worse), seconds(program, better))


def _worst(application, threads, worst, others, limit=1.0):
    return tuple(
        at_least(f"{threads} threads, {worst.name} over {one.name}",
                 _over(application, threads, worst, one), limit)
        for one in others
    )


EXPERIMENT = Experiment(
    name="figure-7",
    title="STAMP: time by threads and allocator",
    grids=tuple(map(_grid, programs.SHOWN)),
    relations=(
        Relation(
            "Genome is slower with Glibc where threads are few",
            _worst("genome", 1, GLIBC_2011, (HOARD, TBB, TCMALLOC), 1.02),
            reason=programs.SHORT_RUNS,
        ),
        Relation(
            "Intruder loses with Hoard and 8 threads",
            _worst("intruder", 8, HOARD, (GLIBC_2011, TBB, TCMALLOC)),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "Intruder is best with TBBMalloc and TCMalloc",
            tuple(
                part
                for worse in (GLIBC_2011, HOARD)
                for part in _worst("intruder", 8, worse, (TBB, TCMALLOC))
            ),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "Labyrinth is slower with Hoard from two threads",
            _worst("labyrinth", 2, HOARD, (GLIBC_2011, TBB, TCMALLOC)),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "Vacation is best with TCMalloc, worst with Hoard",
            (
                *_worst("vacation", 8, HOARD, (GLIBC_2011, TBB, TCMALLOC)),
                *_worst("vacation", 8, TBB, (TCMALLOC,)),
                *_worst("vacation", 8, GLIBC_2011, (TCMALLOC,)),
            ),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "Yada does not scale with Glibc",
            _worst("yada", 8, GLIBC_2011, (HOARD, TBB, TCMALLOC), 1.2),
            reason=programs.LITTLE_WAITING,
        ),
    ),
    notes=(
        "The times of the paper are of the large inputs: only with --full do they compare.",
        allocators.NOTE,
        programs.STAMP_NOTE,
        programs.NOTE,
    ),
    not_compared=(
        NotCompared(
            "Bayes varies most, and Vacation scales with all allocators", "no numbers; two CPUs scale to two"
        ),
    ),
)  # fmt: skip
