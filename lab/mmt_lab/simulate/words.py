"""Numbers as people read them, and the sentence at the end."""

from . import figures


def count(value):
    """At most seven characters."""
    if value is None:
        return ""
    if value >= 1e6:
        return f"{value / 1e6:.3g}M"
    if value >= 1e4:
        return f"{value / 1e3:.3g}k"
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"


def size(value):
    if value is None:
        return ""
    for unit, bytes_of in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if value >= bytes_of:
            return f"{value / bytes_of:.3g} {unit}"
    return f"{value:.0f} B"


def percent(value):
    return "" if value is None else f"{value:.0%}"


def signed_percent(value):
    return "" if value is None else f"{value:+.1%}"


def sentences(simulation):
    """What a reader came for: who needs the least memory, who the fewest steps."""
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
