"""The result of a study: the one object that every reporter takes. Built from declarations and
samples alone, so the same samples give the same report; docs/laboratory.md has it as JSON.
"""

import dataclasses

from ..study import relation
from .statistics import Estimate

SCHEMA = 1
NOT_YET = "not measured yet"


@dataclasses.dataclass(frozen=True)
class CellResult:
    row: str
    column: str
    unit: str
    ours: Estimate | None
    paper: float | None


@dataclasses.dataclass(frozen=True)
class GridResult:
    title: str
    unit: str
    row_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    chart_column: str | None
    cells: tuple[CellResult, ...]

    def cell(self, row, column):
        for one in self.cells:
            if (one.row, one.column) == (row, column):
                return one
        return None


@dataclasses.dataclass(frozen=True)
class PartResult:
    """One number that a verdict rests on, and what was asked of it."""

    label: str
    unit: str
    ours: Estimate | None
    paper: float | None
    asked: str
    verdict: str  # relation.of_part()


@dataclasses.dataclass(frozen=True)
class Finding:
    verdict: str  # of relation.py
    sentence: str
    claim: str = ""
    parts: tuple[PartResult, ...] = ()
    reason: str = ""  # why it is not compared, or not found, as far as it is known


@dataclasses.dataclass(frozen=True)
class FactResult:
    row: str
    ours: str
    paper: str


@dataclasses.dataclass(frozen=True)
class Missing:
    """What could not be run or measured, and why."""

    run: str
    reason: str


@dataclasses.dataclass(frozen=True)
class ExperimentResult:
    name: str
    title: str
    findings: tuple[Finding, ...]
    grids: tuple[GridResult, ...]
    facts: tuple[FactResult, ...]
    notes: tuple[str, ...]
    missing: tuple[Missing, ...]


@dataclasses.dataclass(frozen=True)
class SampleResult:
    run: str
    metric: str
    round: int | None
    value: float


@dataclasses.dataclass(frozen=True)
class StudyResult:
    schema: int
    kind: str
    study: str
    title: str
    paper: str
    command: tuple[str, ...]
    settings: dict
    machine: dict
    rounds: int
    complete: bool  # all rounds that were wanted were run
    remarks: tuple[str, ...]  # what was cut, what disturbs the figures
    commands: dict  # run -> its command line
    experiments: tuple[ExperimentResult, ...]
    samples: tuple[SampleResult, ...]

    def has_missing(self):
        return any(one.missing for one in self.experiments)


def _grid_result(grid, samples):
    cells = tuple(
        CellResult(row, column, grid.unit_of(column), cell.quantity.estimate(samples), cell.paper)
        for row in grid.rows
        for column in grid.columns
        if (cell := grid.cells.get((row, column))) is not None
    )
    columns = grid.columns
    if grid.drops_empty:
        shown = {one.column for one in cells if one.ours is not None}
        columns = tuple(one for one in columns if one in shown)
        cells = tuple(one for one in cells if one.column in shown)
    return GridResult(
        grid.title, grid.unit, grid.row_title, grid.rows, columns, grid.chart_column, cells
    )


def _part_result(part, samples, label):
    ours, judgement = relation.judge_part(part, samples)
    asked = part.condition.words(part.unit)
    return PartResult(label, part.unit, ours, part.paper, asked, relation.of_part(judgement))


def finding_of(one, samples, trial=False):
    """A Relation's. What must be found first stands behind its own parts."""
    verdict, sentence = relation.judge(one, samples, trial)
    parts = [_part_result(part, samples, part.label) for part in one.parts]
    parts += [_part_result(part, samples, f"premise: {part.label}") for part in one.premise]
    reason = one.reason if verdict in (relation.NOT_REPRODUCED, relation.UNDECIDED) else ""
    return Finding(verdict, sentence, one.claim, tuple(parts), reason)


def _not_compared(one):
    sentence = f"{one.claim}: {relation.NOT_COMPARED}. {one.reason[0].upper()}{one.reason[1:]}."
    return Finding(relation.NOT_COMPARED, sentence, one.claim, reason=one.reason)


def _findings(experiment, samples, trial):
    yield from (finding_of(one, samples, trial) for one in experiment.relations)
    yield from map(_not_compared, experiment.not_compared)


def experiment_result(experiment, samples, problems, trial=False):
    """`problems`: {run key: reason} of all runs that failed. A trial judges no relation."""
    return ExperimentResult(
        experiment.name,
        experiment.title,
        tuple(_findings(experiment, samples, trial)),
        tuple(_grid_result(one, samples) for one in experiment.grids),
        tuple(FactResult(one.row, one.ours, one.paper) for one in experiment.facts),
        experiment.notes,
        tuple(_missing(experiment, samples, problems)),
    )


def _missing(experiment, samples, problems):
    told = set()
    for leaf in experiment.measured():
        key = leaf.run.key
        if samples.series(leaf.run, leaf.metric) or key in told:
            continue
        told.add(key)
        if key in problems:
            yield Missing(key, problems[key])
        elif samples.has_any(key):
            yield Missing(key, f"it gave no '{leaf.metric}'")
        else:
            yield Missing(key, NOT_YET)


def as_plain(result):
    """Dicts, lists and numbers only."""
    return dataclasses.asdict(result)
