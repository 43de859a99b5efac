"""Figure 7: times of the applications."""

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import GeometricMean, OfMedians, Ratio
from ...study.relation import AtLeast, AtMost, Between
from . import allocators, programs
from .allocators import GLIBC_2011, HOARD, TBB, TCMALLOC
from .best_and_worst import spread
from .settings import OursAlone
from .shapes import at_least, by_threads, seconds
from .variation import WidthOverWidest

# The paper's raw data for Yada, which it does not print, with 8 threads.
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


def _mean_over(worse, better):
    """The geometric mean of the six applications."""
    return GeometricMean(tuple(_over(one, 8, worse, better) for one in programs.SHOWN))


def _best_overall():
    return tuple(
        at_least(f"{worse.name} over {better.name}", _mean_over(worse, better), 1.0)
        for worse in (GLIBC_2011, HOARD)
        for better in (TBB, TCMALLOC)
    )


def _speed(application, few, many, allocator):
    """How many times as fast with more threads."""
    return Ratio(
        seconds(programs.stamp(application, few), allocator), seconds(programs.stamp(application, many), allocator)
    )


def _scales(application):
    return tuple(at_least(f"2 threads, {one.name}", _speed(application, 1, 2, one), 1.0) for one in allocators.FOUR)


def _more_than_with_other_threads():
    """Yada's time with Hoard over another's with two threads, over the same with others."""
    for threads in (1, 4, 6, 8):
        for one in (GLIBC_2011, TBB, TCMALLOC):
            loss = Ratio(_over("yada", 2, HOARD, one), _over("yada", threads, HOARD, one))
            yield at_least(f"than with {threads} thread{'' if threads == 1 else 's'}, over {one.name}", loss, 1.0)


def _widths(application):
    return tuple(seconds(programs.stamp(application, 8), one) for one in allocators.FOUR)


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
        OursAlone(
            "Labyrinth is slower with Hoard with more threads, too",
            tuple(
                part
                for threads in (4, 6, 8)
                for part in _worst("labyrinth", threads, HOARD, (GLIBC_2011, TBB, TCMALLOC))
            ),
            reason=programs.LITTLE_WAITING,
        ),
        OursAlone(
            "Labyrinth: the others are similar, by less than the paper's best and worst are apart",
            tuple(
                Part(f"{threads} threads",
                     OfMedians(spread, tuple(seconds(programs.stamp("labyrinth", threads), one)
                                             for one in (GLIBC_2011, TBB, TCMALLOC))),
                     AtMost(0.096), None, "share")
                for threads in (2, 4, 6, 8)
            ),
            reason=programs.SHORT_RUNS,
        ),
        Relation(
            "Vacation is similar with TBBMalloc and Glibc",
            (Part("8 threads, TBBMalloc over Glibc", _over("vacation", 8, TBB, GLIBC_2011), Between(0.9, 1.1)),),
            reason=programs.SHORT_RUNS,
        ),
        OursAlone("Vacation scales with all", _scales("vacation"), reason=programs.SHORT_RUNS),
        OursAlone("Intruder scales with all", _scales("intruder")),
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
            "Yada is slowest with Glibc and 8 threads",
            _worst("yada", 8, GLIBC_2011, (HOARD, TBB, TCMALLOC), 1.2),
            reason=programs.LITTLE_WAITING,
        ),
        OursAlone(
            "Yada scales worse with Glibc than with the others from 4 to 8 threads",
            tuple(
                Part(f"Glibc's speed over {one.name}'s",
                     Ratio(_speed("yada", 4, 8, GLIBC_2011), _speed("yada", 4, 8, one)), AtMost(1.0))
                for one in (HOARD, TBB, TCMALLOC)
            ),
            reason=programs.LITTLE_WAITING,
        ),
        OursAlone(
            "Yada loses with Hoard and two threads alone",
            tuple(_more_than_with_other_threads()),
            reason=programs.LITTLE_WAITING,
        ),
        OursAlone(
            "TBBMalloc and TCMalloc are the best overall",
            _best_overall(),
            reason=programs.LITTLE_WAITING,
        ),
        OursAlone(
            "Bayes varies most",
            (
                Part("width of its intervals over the widest other",
                     WidthOverWidest(_widths("bayes"),
                                     tuple(_widths(one) for one in programs.SHOWN if one != "bayes")),
                     AtLeast(1.0)),
            ),
        ),
    ),
    notes=(
        "The times of the paper are of the large inputs: only with --full do they compare.",
        allocators.NOTE,
        programs.STAMP_NOTE,
        programs.NOTE,
    ),
)  # fmt: skip
