"""From samples to the one result that every reporter of `mmt bench` takes."""

from ..results.bench_result import Allocator, BenchResult, Cell, Metric, Program, Ratio, Sample
from ..text.bench_units import higher_is_better
from ..study.experiment import Kind, Run
from ..results.statistics import median_estimate, ratio_of_medians

KINDS = (Kind.TIMED, Kind.CALLS)


def series_of(metric):
    return {one.round: one.value for one in metric.samples}


def ratio_of(mine, other):
    """Cost over cost of two metrics as an Estimate, or None."""
    sides = (series_of(mine), series_of(other))
    return ratio_of_medians(*(reversed(sides) if higher_is_better(mine.unit) else sides))


def program_result(program, contenders, outcome, units):
    """A program's cells, of the rounds that all of its pairs have: an interruption leaves some
    without their last."""
    problems = [_problem(program, one.allocator, outcome.problems) for one in contenders]
    series = [
        {} if problem else _series(program, one.allocator, outcome.samples)
        for one, problem in zip(contenders, problems, strict=True)
    ]
    plain = [_whole_rounds(one, series) for one in series]
    cells = []
    for at, (one, problem) in enumerate(zip(contenders, problems, strict=True)):
        metrics = {
            name: _metric(name, values, units, plain, contenders, at)
            for name, values in plain[at].items()
        }
        cells.append(Cell(one.name, problem, metrics))
    return Program(
        program.suite, program.name, program.command, program.pin, tuple(cells), program.shown
    )


def _problem(program, allocator, problems):
    keys = (Run(kind, program, allocator).key for kind in KINDS)
    return next((problems[key] for key in keys if key in problems), None)


def _series(program, allocator, samples):
    """{metric: {round: value}}"""
    found = {}
    for kind in KINDS:
        for index, metrics in samples.rounds(Run(kind, program, allocator).key):
            for name, value in metrics.items():
                found.setdefault(name, {})[index] = value
    return found


def _whole_rounds(mine, all_series):
    return {
        name: kept
        for name, values in mine.items()
        if (kept := _kept(values, [one[name] for one in all_series if name in one]))
    }


def _kept(values, others):
    return {
        index: value for index, value in values.items() if all(index in one for one in others)
    }


def _metric(name, values, units, all_series, contenders, at):
    unit = units[name]
    estimate = median_estimate(list(values.values()))
    glibc = next(
        (one[name] for one, who in zip(all_series, contenders, strict=True)
         if who.name == "glibc" and name in one),
        None,
    )  # fmt: skip
    best = _best_peer(name, unit, all_series, contenders, at)
    return Metric(
        unit,
        estimate.value,
        estimate.low,
        estimate.high,
        tuple(Sample(*one) for one in values.items()),
        _ratio(values, glibc, unit, "glibc"),
        _ratio(values, all_series[best][name], unit, contenders[best].name)
        if best is not None
        else None,
    )


def _ratio(mine, other, unit, against):
    if other is None:
        return None
    sides = (other, mine) if higher_is_better(unit) else (mine, other)
    estimate = ratio_of_medians(*sides)
    return estimate and Ratio(estimate.value, estimate.low, estimate.high, against)


def _best_peer(name, unit, all_series, contenders, at):
    """Where the best of the others is that are not MMT; None when there is none."""
    medians = {
        index: median_estimate(list(one[name].values())).value
        for index, one in enumerate(all_series)
        if index != at and not contenders[index].is_mmt and name in one
    }
    if not medians:
        return None
    return (max if higher_is_better(unit) else min)(medians, key=medians.get)


def allocator_result(contender, proofs, version):
    return Allocator(
        contender.name,
        contender.path,
        contender.options,
        proofs.served_by(contender.allocator),
        version,
        contender.is_mmt,
    )


def bench_result(**fields):
    return BenchResult(schema=1, kind="bench", **fields)
