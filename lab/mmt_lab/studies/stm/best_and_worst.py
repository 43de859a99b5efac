"""Tables 3 and 6: which allocator is best, which worst, and how far they are apart."""

from ...study.experiment import Cell, Grid, NotCompared, Part, Relation
from ...study.quantity import OfMedians, Ratio
from ...study.relation import AtLeast, WithinFactor
from . import allocators, programs
from .settings import OursAlone

# This share of the paper's difference counts as found again.
SHARE = 0.5
# How far a difference may be from the paper's.
FACTOR = 2


def spread(values):
    """How far the best and the worst are apart."""
    return max(values) / min(values) - 1 if min(values) > 0 else None


def _least_lead(values):
    """By how many times the first is more than each other, at least."""
    return values[0] / max(values[1:]) if max(values[1:]) > 0 else None


def _least_lag(values):
    """By how many times each other is more than the first, at least."""
    return min(values[1:]) / values[0] if values[0] > 0 else None


def _apart(quantity, program, of=allocators.FOUR):
    return OfMedians(spread, tuple(quantity(program, one) for one in of))


def grid(title, rows, quantity):
    """`rows`: {label: (program, the paper's difference, threads)}; `quantity`: of which any order
    will do."""
    cells = {}
    for label, (program, paper, _) in rows.items():
        for column, of in (("the paper's four", allocators.FOUR), ("all", allocators.ALL)):
            cells[label, column] = Cell(_apart(quantity, program, of), paper if of is allocators.FOUR else None)
    return Grid(title, "share", "program", tuple(rows), ("the paper's four", "all"), cells)


def relation(claim, best, worst, program, difference, worse_over_better, reason):
    """`worse_over_better(program, best, worst)`: a ratio that is the larger the better the best is."""
    return Relation(
        claim,
        (
            Part(
                f"{best} against {worst}",
                worse_over_better(program, allocators.PAPERS[best], allocators.PAPERS[worst]),
                AtLeast(1 + SHARE * difference),
                1 + difference,
            ),
        ),
        reason=reason,
    )


def extremes(papers, program, quantity, more_is_better, reason):
    """That the best and the worst of the four are the paper's. `papers`: {name: (best, worst, ...)}."""
    leads, lags = (_least_lead, _least_lag) if more_is_better else (_least_lag, _least_lead)
    parts = []
    for name, (best, worst, *_) in papers.items():
        for function, first, word in ((leads, best, "best"), (lags, worst, "worst")):
            others = (one for one in allocators.PAPERS if one != first)
            of = tuple(quantity(program(name), allocators.PAPERS[one]) for one in (first, *others))
            parts.append(Part(f"{name}: {first} is the {word}", OfMedians(function, of), AtLeast(1.0)))
    return OursAlone("The best and the worst of the four are the paper's", tuple(parts), reason=reason)


def differences(papers, program, quantity, reason):
    """That the best and the worst are as far apart as the paper's."""
    parts = tuple(
        Part(name, _apart(quantity, program(name)), WithinFactor(FACTOR, difference), difference, "share")
        for name, (_, _, difference, _) in papers.items()
    )
    return OursAlone(f"Best and worst are as far apart as in the paper, within {FACTOR} times", parts, reason=reason)


def _spreads(values):
    """How far each four are apart."""
    count = len(allocators.FOUR)
    return [spread(values[at : at + count]) for at in range(0, len(values), count)]


def _of_all_spreads(function, first, papers, program, quantity):
    """A function of how far the four are apart, the first named before the others."""
    names = (first, *(one for one in papers if one != first))
    of = tuple(quantity(program(name), one) for name in names for one in allocators.FOUR)
    return OfMedians(lambda values: function(_spreads(values)), of)


def most_and_least(claim, most, least, papers, program, quantity, reason):
    parts = (
        Part(f"{most} over the next", _of_all_spreads(_least_lead, most, papers, program, quantity), AtLeast(1.0)),
        Part(f"the next over {least}", _of_all_spreads(_least_lag, least, papers, program, quantity), AtLeast(1.0)),
    )
    return OursAlone(claim, parts, reason=reason)


THREADS = NotCompared(
    "With how many threads each program is the fastest", "eight threads on two virtual CPUs are no faster than two"
)
NOTE = (
    f"For one program the bound is {SHARE:.0%} of the paper's difference. What is not in the paper's four is in no "
    f"relation. {programs.NOTE}"
)


def more(quantity):
    """How much more a rate is."""
    return lambda program, best, worst: Ratio(quantity(program, best), quantity(program, worst))


def less(quantity):
    """How much less a time is."""
    return lambda program, best, worst: Ratio(quantity(program, worst), quantity(program, best))
