"""The shapes that the study's grids have: variants beside a baseline, programs by allocators."""

from ...study.experiment import Cell, Grid
from ...study.quantity import Average, Ratio


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


def by_allocator(title, unit, programs, allocators, quantity, paper):
    """`quantity(program, allocator)`; `paper`: {program: values in the order of allocators}."""
    cells = {
        (program.name, allocator.name): Cell(quantity(program, allocator), value)
        for program in programs
        for allocator, value in zip(allocators, paper[program.name], strict=True)
    }
    columns = tuple(one.name for one in allocators)
    rows = tuple(one.name for one in programs)
    return Grid(title, unit, "benchmark", rows, columns, cells)


def normalised(title, programs, allocators, quantity, paper, baseline):
    """The same, each number divided by the baseline's of its program; with each column's mean."""
    at = allocators.index(baseline)
    rows = (*(one.name for one in programs), "average")
    cells = {}
    for index, allocator in enumerate(allocators):
        ratios = tuple(Ratio(quantity(one, allocator), quantity(one, baseline)) for one in programs)
        papers = [paper[one.name][index] / paper[one.name][at] for one in programs]
        for program, ratio, value in zip(programs, ratios, papers, strict=True):
            cells[program.name, allocator.name] = Cell(ratio, value)
        cells["average", allocator.name] = Cell(Average(ratios), sum(papers) / len(papers))
    columns = tuple(one.name for one in allocators)
    return Grid(title, "ratio", "benchmark", rows, columns, cells, chart_column="*")


def average_ratio(programs, allocators, quantity, paper, top, bottom):
    """(our average of one allocator over another, the paper's)."""
    ours = Average(tuple(Ratio(quantity(one, top), quantity(one, bottom)) for one in programs))
    first, second = allocators.index(top), allocators.index(bottom)
    values = [paper[one.name][first] / paper[one.name][second] for one in programs]
    return ours, sum(values) / len(values)
