"""Figures of a simulation that reporters share: what is shown of a result, by which names."""

import statistics

# (title, key of a column in reports, how it is taken from a result)
FIGURES = {
    "alloc": lambda one: one["nodes_searched"]["allocation"]["mean"],
    "free": lambda one: one["nodes_searched"]["free"]["mean"],
    "both": lambda one: one["nodes_searched"]["allocation"]["mean"]
    + one["nodes_searched"]["free"]["mean"],
    "worst": lambda one: max(
        one["nodes_searched"]["allocation"]["max"], one["nodes_searched"]["free"]["max"]
    ),
    "joined": lambda one: one["coalescing_frequency"],
    "internal": lambda one: one["internal_fragmentation"]["share"],
    "chunks": lambda one: one["free_chunks"]["mean"],
    "pages": lambda one: one["os_pages"]["max"],
    "calls": lambda one: one["growth_calls"],
    "peak": lambda one: one["peak_bytes"],
    "balancing": lambda one: one["rebalancing_nodes"] / max(one["events"], 1),
}


def median(results, name):
    """Over traces; None where there are none."""
    values = [FIGURES[name](one) for one in results]
    return statistics.median(values) if values else None


def over_bound(simulation, one):
    """The heap's peak over the most that was live."""
    bound = simulation.bounds.get(one["trace"])
    least = bound["most_live"] if bound else one["live_bytes"]["max"]
    return one["peak_bytes"] / least if least else None


def median_over_bound(simulation, allocator):
    return median_of_bounds(simulation, simulation.of_model(allocator))


def median_of_bounds(simulation, results):
    values = [over_bound(simulation, one) for one in results]
    values = [one for one in values if one is not None]
    return statistics.median(values) if values else None


def flat(one, before=""):
    """{dotted name: number} of a result, without its curves and histograms."""
    out = {}
    for name, value in one.items():
        if isinstance(value, dict) and name != "series":
            out |= flat(value, f"{before}{name}.")
        elif not isinstance(value, (list, dict)):
            out[before + name] = value
    return out
