"""The shapes that the study's grids have: variants beside a baseline, programs by allocators."""

from ...study.experiment import Cell, Grid
from ...study.quantity import Average, Ratio
from .table import mean


def beside_baseline(title, unit, quantities, baseline, paper_values=None, paper_ratios=None):
    """A row a variant: its value, and what it is of the baseline's."""
    measured, relative = "measured", f"relative to {baseline}"
    cells = {}
    for name, quantity in quantities.items():
        cells[name, measured] = Cell(quantity, (paper_values or {}).get(name))
        ratio = Ratio(quantity, quantities[baseline])
        cells[name, relative] = Cell(ratio, (paper_ratios or {}).get(name))
    return Grid(
        title=title,
        unit=unit,
        row_title="variant",
        rows=tuple(quantities),
        columns=(measured, relative),
        cells=cells,
        column_units={relative: "ratio"},
        chart_column=relative,
    )


def _names(those):
    return tuple(one.name for one in those)


def by_allocator(title, unit, table):
    cells = {
        (program.name, allocator.name): Cell(
            table.quantity(program, allocator), table.value(program, allocator)
        )
        for program in table.programs
        for allocator in table.allocators
    }
    return Grid(title, unit, "benchmark", _names(table.programs), _names(table.allocators), cells)


def normalised(title, table, baseline):
    """The same, each number divided by the baseline's of its program; with each column's mean."""
    cells = {}
    for allocator in table.allocators:
        ratios = tuple(table.ratio(one, allocator, baseline) for one in table.programs)
        papers = [table.paper_ratio(one, allocator, baseline) for one in table.programs]
        for program, ratio, value in zip(table.programs, ratios, papers, strict=True):
            cells[program.name, allocator.name] = Cell(ratio, value)
        cells["average", allocator.name] = Cell(Average(ratios), mean(papers))
    rows = (*_names(table.programs), "average")
    return Grid(title, "ratio", "benchmark", rows, _names(table.allocators), cells, chart_column="*")
