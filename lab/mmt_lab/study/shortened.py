"""`mmt study NAME --short`: what the verdicts of a study rest on, and no more of it.

Tables keep the numbers that come with that. So each relation has its verdict, with the interval that
the least number of rounds gives.
"""

import dataclasses

ROUNDS = 5  # of timed runs: fewer give no verdict
MINUTES = 60


def shortened(experiments):
    """Without the runs on which no relation of these experiments rests, and the numbers that need
    them."""
    needed = {run for one in experiments for run in _judged(one)}
    return [
        dataclasses.replace(one, grids=tuple(grid for it in one.grids if (grid := _part_of(it, needed))))
        for one in experiments
    ]


def _judged(experiment):
    for relation in experiment.relations:
        for part in relation.parts + relation.premise:
            for leaf in part.quantity.measured():
                yield leaf.run


def _part_of(grid, needed):
    """None where no number is left."""
    cells = {
        place: cell
        for place, cell in grid.cells.items()
        if all(leaf.run in needed for leaf in cell.quantity.measured())
    }
    return dataclasses.replace(
        grid,
        rows=tuple(row for row in grid.rows if any(place[0] == row for place in cells)),
        columns=tuple(column for column in grid.columns if any(place[1] == column for place in cells)),
        cells=cells,
    ) if cells else None  # fmt: skip
