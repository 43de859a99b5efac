"""Tables 3 and 6: which allocator is best, which worst, and how far they are apart."""

from ...study.experiment import Cell, Grid, Part, Relation
from ...study.quantity import OfMedians, Ratio
from ...study.relation import AtLeast
from . import allocators, programs

# This share of the paper's difference counts as found again.
SHARE = 0.5


def spread(values):
    """How far the best and the worst are apart."""
    return max(values) / min(values) - 1 if min(values) > 0 else None


def grid(title, rows, quantity):
    """`rows`: {label: (program, the paper's difference, threads)}; `quantity`: of which any order
    will do."""
    cells = {}
    for label, (program, paper, _) in rows.items():
        for column, of in (("the paper's four", allocators.FOUR), ("all", allocators.ALL)):
            apart = OfMedians(spread, tuple(quantity(program, one) for one in of))
            cells[label, column] = Cell(apart, paper if of is allocators.FOUR else None)
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


NOTE = (
    f"The bound is {SHARE:.0%} of the paper's difference. What is not in the paper's four is in no "
    f"relation. {programs.NOTE}"
)


def more(quantity):
    """How much more a rate is."""
    return lambda program, best, worst: Ratio(quantity(program, best), quantity(program, worst))


def less(quantity):
    """How much less a time is."""
    return lambda program, best, worst: Ratio(quantity(program, worst), quantity(program, best))
