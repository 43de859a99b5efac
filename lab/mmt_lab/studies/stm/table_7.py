"""Table 7: what caching of transactional objects gains."""

from ...study.experiment import Experiment, NotCompared, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtLeast, AtMost
from . import allocators, programs
from .allocators import FOUR, GLIBC_2011, HOARD, TBB, TCMALLOC
from .shapes import by_row, reported, seconds

# In the order of the paper's allocators.
PAPER = {
    "genome": (-0.0190, -0.0055, 0.0, 0.0),
    "intruder": (0.0656, 0.1439, 0.0288, 0.0092),
    "vacation": (0.0277, 0.0032, 0.0395, 0.0071),
    "yada": (0.3815, -0.0091, 0.0473, 0.0223),
}
ROWS = {one: one for one in PAPER}


def _plain(application):
    return programs.stamp(application, 8)


def _caching(application):
    return programs.stamp(application, 8, caching="both")


def _speed(application, allocator):
    """How many times as fast with caching."""
    return Ratio(
        seconds(_plain(application), allocator), seconds(_caching(application), allocator)
    )


def _reused(application, allocator):
    program = _caching(application)
    return Ratio(
        reported(program, allocator, "reused"), reported(program, allocator, "tx.mallocs")
    )


def _papers():
    """The speed 1 + g: its gain g is how much more the time without caching is, of that with it."""
    return {
        (application, one): 1 + gain
        for application, gains in PAPER.items()
        for one, gain in zip(FOUR, gains, strict=True)
    }


EXPERIMENT = Experiment(
    name="table-7",
    title="Caching of transactional objects, 8 threads",
    grids=(
        by_row(f"Speed with caching, base: without; {programs.count_of(8)}", "ratio",
               "application", ROWS, _speed, papers=_papers()),
        by_row("Allocations in transactions that the cache serves", "share", "application", ROWS,
               _reused),
    ),
    relations=(
        Relation(
            "Caching helps Yada much under Glibc",
            (Part("Glibc", _speed("yada", GLIBC_2011), AtLeast(1.15), _papers()["yada", GLIBC_2011]),),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "It helps Intruder under Hoard, whose locks it avoids",
            (Part("Hoard", _speed("intruder", HOARD), AtLeast(1.05), _papers()["intruder", HOARD]),),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "Where the allocator caches itself, it gains little",
            tuple(
                Part(f"{application}, {one.name}", _speed(application, one), AtMost(1.05),
                     _papers()[application, one])
                for application in PAPER
                for one in (TBB, TCMALLOC)
            ),
        ),
        Relation(
            "Vacation and Intruder gain little under Glibc, Vacation and Yada under Hoard",
            tuple(
                Part(f"{application}, {one.name}", _speed(application, one), AtMost(1.1),
                     _papers()[application, one])
                for application, one in (
                    ("vacation", GLIBC_2011), ("intruder", GLIBC_2011), ("vacation", HOARD), ("yada", HOARD),
                )
            ),
            reason=programs.SHORT_RUNS,
        ),
        Relation(
            "Genome gains nothing",
            tuple(
                Part(one.name, _speed("genome", one), AtMost(1.03), _papers()["genome", one])
                for one in FOUR
            ),
        ),
    ),
    notes=(
        "Both builds of ours count the same; the paper's with caching had its statistics off, that "
        "without had them on.",
        allocators.NOTE,
        programs.STAMP_NOTE,
        programs.NOTE,
    ),
    not_compared=(
        NotCompared(
            "Section 4: statistics have no significant overhead",
            "the transactional memory here counts always: there is none without to compare it with",
        ),
    ),
)  # fmt: skip
