"""What one choice changes: pairs of models that differ in a single factor."""

import itertools
import statistics

from ..simulate import figures

SHOWN = ("both", "worst", "peak", "chunks", "internal")
TITLES = ("nodes", "longest search", "peak", "free chunks", "internal")


def pairs(models):
    """(factor, the model without, the model with), the first in the order of names' options."""
    for one, other in itertools.combinations(models, 2):
        names = set(one.factors) & set(other.factors)
        differing = [name for name in names if one.factors[name] != other.factors[name]]
        if len(differing) == 1 and _is_alike(one, other, differing[0]):
            yield differing[0], one, other


def _is_alike(one, other, factor):
    """A family brings factors that the other has not; otherwise both have the same."""
    return factor == "family" or set(one.factors) == set(other.factors)


def _ratio(simulation, one, other, figure):
    """The second over the first, as a geometric mean over traces; None where one is zero."""
    ratios = []
    for name in simulation.trace_names():
        before, after = simulation.result(name, one.name), simulation.result(name, other.name)
        if before is None or after is None:
            continue
        low, high = figures.FIGURES[figure](before), figures.FIGURES[figure](after)
        if low <= 0 or high <= 0:
            return None
        ratios.append(high / low)
    return statistics.geometric_mean(ratios) if ratios else None


def matrix(simulation):
    """[(factor, change, model, [ratio or None])], by factor."""
    rows = []
    for factor, one, other in pairs(simulation.models):
        change = f"{one.factors[factor]} → {other.factors[factor]}"
        ratios = [_ratio(simulation, one, other, figure) for figure in SHOWN]
        if any(ratio is not None for ratio in ratios):
            rows.append((factor, change, one.name, ratios))
    return sorted(rows, key=lambda row: (row[0], row[1], row[2]))
