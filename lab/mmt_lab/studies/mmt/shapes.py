"""The shape of most grids: programs by designs, each time divided by the base's of its program."""

from ...study.experiment import Cell, Grid, Kind, Run
from ...study.quantity import (
    Average,
    AverageOverAverage,
    Difference,
    Measured,
    OfMedians,
    Ratio,
)
from . import programs


def wall(program, allocator):
    return Measured(Run(Kind.TIMED, program, allocator), "wall")


def peak(program, allocator):
    return Measured(Run(Kind.TIMED, program, allocator), "peak_rss")


def request(program, allocator):
    """Seconds from call to call, of programs.paced."""
    return Measured(Run(Kind.TIMED, program, allocator), "reported.request")


def sampled(program, allocator, metric):
    """CPU seconds by where they went: see sampling.py."""
    return Measured(Run(Kind.SAMPLED, program, allocator), metric)


def operations(program):
    """malloc, free and their kin, together."""
    return Measured(Run(Kind.COUNTED, program), "operations")


def ratios(allocator, base, metric=wall, of=programs.ALL):
    """One of each program."""
    return tuple(Ratio(metric(one, allocator), metric(one, base)) for one in of)


def overheads(allocator, base, of=programs.ALL):
    """What each program's time is longer by, as a share of the base's."""
    return tuple(
        Ratio(Difference(wall(one, allocator), wall(one, base)), wall(one, base)) for one in of
    )


def second_lowest(quantities):
    """At most this have two programs."""
    return OfMedians(lambda medians: sorted(medians)[1], tuple(quantities))


def spread(quantities):
    """The highest over the lowest."""
    return OfMedians(lambda medians: max(medians) / min(medians), tuple(quantities))


def over_highest(one, others):
    """At least 1 where `one` is the highest of all."""
    return OfMedians(lambda medians: medians[0] / max(medians[1:]), (one, *others))


def over_base(allocator, base, metric=wall, of=programs.ALL):
    """An average over programs."""
    return Average(ratios(allocator, base, metric, of))


def against(allocator, other, base, of=programs.ALL):
    """Two designs as the paper compares them: the one's average over the other's."""
    return AverageOverAverage(over_base(allocator, base, of=of), over_base(other, base, of=of))


AVERAGES_NOTE = (
    "Designs are compared as in the paper, by their averages: the one's over the other's."
)


def normalised(title, base, designs, paper_means, metric=wall, of=programs.ALL, extremes=None):
    """`base`: an allocator, or {column: allocator}; `designs`: {column: allocator}; `paper_means`:
    {column: the paper's average}; `of`: the programs; `extremes`: {row: (Lowest or Highest,
    {column: the paper's})}."""
    extremes = extremes or {}
    cells = {}
    for column, allocator in designs.items():
        below = base[column] if isinstance(base, dict) else base
        each = ratios(allocator, below, metric, of)
        cells |= {(one.name, column): Cell(ratio) for one, ratio in zip(of, each, strict=True)}
        cells["average", column] = Cell(Average(each), paper_means.get(column))
        for row, (extreme, papers) in extremes.items():
            cells[row, column] = Cell(extreme(each), papers.get(column))
    rows = (*(one.name for one in of), "average", *extremes)
    return Grid(title, "ratio", "benchmark", rows, tuple(designs), cells, chart_column="*")
