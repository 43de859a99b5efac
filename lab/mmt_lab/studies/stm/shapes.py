"""What the study's grids and relations are made of."""

from ...study.experiment import Cell, Grid, Kind, Part, Run
from ...study.quantity import Difference, Measured, Ratio
from ...study.relation import AtLeast
from . import allocators, programs


def reported(program, allocator, metric):
    return Measured(Run(Kind.TIMED, program, allocator), f"reported.{metric}")


def throughput(program, allocator):
    """Transactions a second; of threadtest, pairs."""
    return reported(program, allocator, "per_second")


def seconds(program, allocator):
    """The time of the parallel phase."""
    return reported(program, allocator, "seconds")


def aborts(program, allocator):
    """Their share of all attempts that committed or aborted."""
    return reported(program, allocator, "abort_share")


def exact(program, allocator, metric):
    return Measured(Run(Kind.EXACT, program, allocator), f"reported.{metric}")


def probed(allocator, metric):
    return exact(programs.PROBE, allocator, metric)


def caches(program, allocator, metric):
    return Measured(Run(Kind.CACHES, program, allocator), metric)


def faster(quantity, program, one, other):
    """A ratio of times: how many times as fast as the other."""
    return Ratio(quantity(program, other), quantity(program, one))


def fewer_aborts(program, other, allocator):
    """How many percent of attempts abort in the one program and not in the other."""
    return Difference(aborts(program, allocator), aborts(other, allocator))


def by_threads(title, unit, cell, papers=None, of=allocators.ALL, threads=programs.THREADS):
    """`cell(threads, allocator)`; `papers`: {(threads, allocator): value}."""
    papers = papers or {}
    cells = {
        (programs.count_of(number), one.name): Cell(cell(number, one), papers.get((number, one)))
        for number in threads
        for one in of
    }
    rows = tuple(programs.count_of(number) for number in threads)
    columns = tuple(one.name for one in of)
    return Grid(title, unit, "threads", rows, columns, cells, chart_column="*")


def by_row(title, unit, row_title, rows, cell, of=allocators.ALL, papers=None, chart="*"):
    """`rows`: {label: what cell(that, allocator) is asked for}."""
    papers = papers or {}
    cells = {
        (label, one.name): Cell(cell(key, one), papers.get((key, one)))
        for label, key in rows.items()
        for one in of
    }
    columns = tuple(one.name for one in of)
    return Grid(title, unit, row_title, tuple(rows), columns, cells, chart_column=chart)


def by_allocator(title, unit, columns, cell, of=allocators.ALL, units=None):
    """A row an allocator; `columns`: {label: what cell(allocator, that) is asked for}."""
    cells = {
        (one.name, label): Cell(cell(one, key)) for label, key in columns.items() for one in of
    }
    rows = tuple(one.name for one in of)
    return Grid(title, unit, "allocator", rows, tuple(columns), cells, units or {})


def at_least(label, quantity, limit, paper=None, unit="ratio"):
    return Part(label, quantity, AtLeast(limit), paper, unit)
