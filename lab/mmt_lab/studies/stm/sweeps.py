"""How shift and table size suit each allocator: structures and applications, two threads."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import OfMedians
from ...study.relation import AtLeast, AtMost, Between
from . import allocators, programs
from .allocators import FOUR, GLIBC_2011, OURS
from .best_shift import gain
from .shapes import aborts, seconds, throughput

SHIFTS = tuple(range(3, 9))
SIZES = (10, 14, 17, 20, 24)
SHOWN = (*FOUR, OURS)
THREADS = 2
# What a setting must be better by to be told from another.
NOTICED = 0.05
# And by how much more transactions abort, of all attempts.
NOTICED_ABORTS = 0.02
# How much faster applications are in their mean, that have shifts of their own.
GAINED = 1.01


def _structure(name, **options):
    return programs.synthetic(name, THREADS, **options)


def _application(name, **options):
    return programs.stamp(name, THREADS, **options)


def _grid(title, unit, row_title, rows, cell):
    cells = {
        (str(row), one.name): Cell(cell(row, one)) for row in rows for one in SHOWN
    }
    columns = tuple(one.name for one in SHOWN)
    return Grid(title, unit, row_title, tuple(map(str, rows)), columns, cells, chart_column="*")


def _of_structures(option, values, row_title):
    for name in programs.STRUCTURES:
        for title, unit, quantity in (
            ("transactions", "per_s", throughput), ("aborts", "share", aborts),
        ):  # fmt: skip
            yield _grid(
                f"{programs.TITLES[name]}: {title}", unit, row_title, values,
                lambda value, one, name=name, quantity=quantity: quantity(
                    _structure(name, **{option: value}), one
                ),
            )  # fmt: skip


def _of_applications(option, values, row_title):
    for name in programs.APPLICATIONS:
        yield _grid(
            f"{name}: time", "s", row_title, values,
            lambda value, one, name=name: seconds(_application(name, **{option: value}), one),
        )  # fmt: skip


def _regret(application, allocator):
    """What an allocator loses by the shift that is best for Glibc, of its own best time."""
    own = tuple(seconds(_application(application, shift=one), allocator) for one in SHIFTS)
    glibc = tuple(seconds(_application(application, shift=one), GLIBC_2011) for one in SHIFTS)

    def lost(values):
        mine, others = values[: len(SHIFTS)], values[len(SHIFTS) :]
        return mine[others.index(min(others))] / min(mine) - 1 if min(mine) > 0 else None

    return OfMedians(lost, (*own, *glibc))


def _best_shift(allocator):
    rates = tuple(throughput(_structure("list", shift=one), allocator) for one in SHIFTS)
    return OfMedians(lambda values: SHIFTS[values.index(max(values))], rates)


def _largest_without_aborts(allocator):
    """The largest shift up to which no more abort than with the least."""

    def largest(values):
        adding = (at for at, value in enumerate(values) if value > values[0] + NOTICED_ABORTS)
        return SHIFTS[next(adding, len(SHIFTS)) - 1]

    return OfMedians(largest, tuple(aborts(_structure("list", shift=one), allocator) for one in SHIFTS))


def _pieces(values, size):
    return [values[at : at + size] for at in range(0, len(values), size)]


def _gain_by_own_shifts(allocator):
    names = tuple(one for one in programs.APPLICATIONS if one != "bayes")
    of = (allocator, *(one for one in FOUR if one is not allocator))
    times = tuple(
        seconds(_application(name, shift=shift), one) for one in of for name in names for shift in SHIFTS
    )

    def gained(values):
        if min(values) <= 0:
            return None
        judged, *others = (_pieces(one, len(SHIFTS)) for one in _pieces(values, len(names) * len(SHIFTS)))
        return gain(judged, others)

    return OfMedians(gained, times)


def _shift_by_allocator(quantity):
    """5 for Glibc, 4 for the others."""
    yield Part("Glibc", quantity(GLIBC_2011), Between(5, 5), 5, "count")
    yield from (Part(one.name, quantity(one), Between(4, 4), 4, "count") for one in allocators.DENSE)


SHIFT_EXPERIMENT = Experiment(
    name="shift",
    title="Shifts from 3 to 8, two threads",
    grids=(
        *_of_structures("shift", SHIFTS, "shift"),
        *_of_applications("shift", SHIFTS, "shift"),
    ),
    relations=(
        Relation(
            "List: the best shift is 5 for Glibc, 4 for the others",
            tuple(_shift_by_allocator(_best_shift)),
            reason=programs.LITTLE_OVERLAP,
        ),
        Relation(
            "List: up to this shift no aborts are added: 5 for Glibc, 4 for the others",
            tuple(_shift_by_allocator(_largest_without_aborts)),
        ),
        Relation(
            "STAMP: the best shift varies from application to application",
            tuple(
                Part(f"{one.name}, speed with shifts of their own", _gain_by_own_shifts(one), AtLeast(GAINED))
                for one in FOUR
            ),
            reason=programs.SHORT_RUNS,
        ),
        Relation(
            "STAMP: the allocator does not change the best shift",
            tuple(
                Part(f"{application}, {one.name}", _regret(application, one), AtMost(NOTICED), None,
                     "share")
                for application in programs.APPLICATIONS
                for one in allocators.DENSE
            ),
            reason=f"{programs.SHORT_RUNS}, which is more than shifts differ; Bayes learns another "
            "network each time",
        ),
    ),
    notes=(
        "Of STAMP it is asked what an allocator loses with the shift that is best for Glibc, and how much "
        "faster applications are, in their geometric mean, with the shifts that are best for each than with one "
        "for all, as the three other allocators show them; without Bayes, whose searches differ.",
        allocators.NOTE,
        programs.STAMP_NOTE,
        programs.STM_NOTE,
    ),
)  # fmt: skip

SIZE_EXPERIMENT = Experiment(
    name="table-sizes",
    title="Tables of 2^10 to 2^24 locks, two threads",
    grids=(
        *_of_structures("log2_orecs", SIZES, "log2 of locks"),
        *_of_applications("log2_orecs", SIZES, "log2 of locks"),
    ),
    relations=(),
    notes=("The paper has 2^20 throughout.", allocators.NOTE, programs.STAMP_NOTE, programs.STM_NOTE),
)

EXPERIMENTS = (SHIFT_EXPERIMENT, SIZE_EXPERIMENT)
