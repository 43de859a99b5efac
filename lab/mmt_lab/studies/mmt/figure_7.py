"""Figure 7: designs 1 and 2, in which the memory thread answers each malloc."""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtLeast, WithinFactor
from . import allocators, breakdown, programs
from .shapes import AVERAGES_NOTE, against, normalised, over_base, ratios

BASE = allocators.LEA
DESIGNS = {
    "design 1": allocators.over(BASE, "sync", "sync"),
    "design 2": allocators.over(BASE, "async-free", "async-free"),
}
PAPER = {"design 1": 2.73, "design 2": 1.89}


def average(design):
    """Over programs, of its time over the base's; as in figure 8."""
    return over_base(design, BASE, of=programs.WAITING)


def grid(designs, paper):
    return normalised("Wall time, base: Lea", BASE, designs, paper, of=programs.WAITING)


def slower(claim, designs, papers, limit):
    """Designs are slower than the base, on average, by the given limit."""
    parts = tuple(
        Part(name, average(one), AtLeast(limit), papers[name]) for name, one in designs.items()
    )
    return Relation(claim, parts)


def of_papers_size(claim, designs, papers):
    parts = tuple(
        Part(name, average(one), WithinFactor(2, papers[name]), papers[name])
        for name, one in designs.items()
    )
    return Relation(claim, parts)


def slower_in_each(claim, design, of=programs.WAITING):
    """10% is our bound."""
    each = ratios(design, BASE, of=of)
    parts = tuple(Part(one.name, ratio, AtLeast(1.1)) for one, ratio in zip(of, each, strict=True))
    return Relation(claim, parts)


def order(claim, slower, faster, designs, papers):
    """One design is slower than another, on average."""
    ratio = against(designs[slower], designs[faster], BASE, programs.WAITING)
    paper = papers[slower] / papers[faster]
    return Relation(claim, (Part(f"{slower} against {faster}", ratio, AtLeast(1.0), paper),))


def order_in_each(claim, slower, faster, designs, of=programs.WAITING):
    """One design is slower than another, in each program."""
    each = ratios(designs[slower], designs[faster], of=of)
    return Relation(
        claim,
        tuple(
            Part(f"{one.name}, {slower} against {faster}", ratio, AtLeast(1.0))
            for one, ratio in zip(of, each, strict=True)
        ),
    )


EXPERIMENT = Experiment(
    name="figure-7",
    title="The basic designs: wall time against the allocator alone",
    grids=(grid(DESIGNS, PAPER), breakdown.grid(BASE, DESIGNS)),
    relations=(
        slower(
            "A memory thread that is asked for each block slows programs down", DESIGNS, PAPER, 1.5
        ),
        slower_in_each("Design 1 slows each program down", DESIGNS["design 1"]),
        order("Handing frees over in bulk helps", "design 1", "design 2", DESIGNS, PAPER),
        order_in_each(
            "Ours: it does in each program that frees",
            "design 1",
            "design 2",
            DESIGNS,
            programs.FREEING,
        ),
        of_papers_size("The slow-down is of the paper's size", DESIGNS, PAPER),
    ),
    notes=(
        allocators.LEA_NOTE,
        programs.WAITING_NOTE,
        AVERAGES_NOTE,
        "Each request costs a round trip of cache lines between two cores. The two of the paper's "
        "machine share a cache, virtual CPUs may share none, and allocators have become faster: "
        "figure-2 has what either costs here, library-cost the designs over a slower allocator.",
        breakdown.NOTE,
        breakdown.PAPER_NOTE,
        "mst, perimeter and treeadd leave their blocks to the system, as Olden's do: mst frees one, the "
        "others none (table-2). In them designs 1 and 2 do the same: whether handing over in bulk "
        "helps in each program is asked only of those that free.",
        "At least 1.5, 1.1 in each program, and twice the paper's size are our bounds.",
        "The second grid shows nearly all of the slow-down in the protocol's library: the program "
        "waits there for the answer.",
    ),
)
