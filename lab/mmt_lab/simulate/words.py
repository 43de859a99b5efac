"""Numbers as people read them, and the sentence at the end."""

from ..text.bench_units import byte_count
from . import figures


def count(value):
    """At most seven characters, of what has at most 18 digits."""
    if value is None:
        return ""
    for sign, one in (("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("P", 1e15)):
        if value >= 1e4 and value / one < 999.5:
            return f"{three(value / one)}{sign}"
    if value >= 1e4:
        return f"{three(value / one)}{sign}"
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"


def size(value):
    return "" if value is None else byte_count(value)


def three(value):
    """Three figures, or all before the point where those are more: no exponent."""
    return f"{value:.0f}" if value >= 999.5 else f"{value:.3g}"


def seconds(value):
    return f"{three(value)} s" if value >= 0.001 or value == 0 else f"{value:.6f} s"


def percent(value):
    return "" if value is None else f"{value:.0%}"


def signed_percent(value):
    return "" if value is None else f"{value:+.1%}"


def sentences(simulation):
    """What a reader came for: who needs the least memory, who the fewest steps; and whose trees are
    not the paper's."""
    return [*_ranking(simulation), *_rebalanced(simulation.models)]


def _rebalanced(models):
    names = [one.name for one in models if one.factors.get("balance", "none") != "none"]
    if not names:
        return []
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return [f"{names[0]}{more}: rebalanced trees; the paper's have balance=none."]


def _ranking(simulation):
    names = [one for one in simulation.model_names() if figures.ranked(simulation, one)]
    if not names:
        return []
    memory = {one: figures.median_over_bound(simulation, one) for one in names}
    memory = {one: value for one, value in memory.items() if value is not None}
    steps = {one: figures.median(simulation.of_model(one), "both") for one in names}
    fastest = min(steps, key=steps.get)
    of = _of(simulation)
    out = []
    if memory:
        least = min(memory, key=memory.get)
        out.append(
            f"{least} needs the least memory{of}: {memory[least] - 1:.0%} above the most that was live."
        )
    out.append(
        f"{fastest} looks at the fewest nodes: {steps[fastest]:.2f} an allocation and a free together."
    )
    return out


def _of(simulation):
    number = simulation.replayed()
    return "" if number <= 1 else f" in the median of {number} traces"
