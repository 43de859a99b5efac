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
    "failed": lambda one: one["failed"],
    "balancing": lambda one: one["rebalancing_nodes"] / max(one["events"], 1),
}


def median(results, name):
    """Over traces; None where there are none."""
    values = [FIGURES[name](one) for one in results]
    return statistics.median(values) if values else None


def most_live(simulation, trace):
    """Bytes of the trace; None where neither its bounds nor a model that got all memory tell."""
    if bound := simulation.bounds.get(trace):
        return bound["most_live"]
    whole = [one for one in simulation.results if one["trace"] == trace and not one["failed"]]
    return max((one["live_bytes"]["max"] for one in whole), default=None)


def over_bound(simulation, one):
    """The heap's peak over the most that was live; None where requests failed."""
    least = None if one["failed"] else most_live(simulation, one["trace"])
    return one["peak_bytes"] / least if least else None


def over_model(simulation, real):
    """By how much a real allocator's peak exceeds the memory that its model's heap and objects are
    written to. None: there is no such model."""
    model = simulation.result(real["trace"], real["allocator"])
    if model is None or model["failed"] or real["failed"]:
        return None
    return real["peak_rss"] / model["resident_bytes"] - 1 if model.get("resident_bytes") else None


def median_over_bound(simulation, allocator):
    return median_of_bounds(simulation, simulation.of_model(allocator))


def median_of_bounds(simulation, results):
    """None where requests failed in any trace."""
    if any(one["failed"] for one in results):
        return None
    values = [over_bound(simulation, one) for one in results]
    values = [one for one in values if one is not None]
    return statistics.median(values) if values else None


def ranked(simulation, allocator):
    """Whether a model has results, all of whole traces: what lacks a request needs less of all."""
    results = simulation.of_model(allocator)
    return bool(results) and not any(one["failed"] for one in results)


def flat(one, before=""):
    """{dotted name: number} of a result, without its curves and histograms."""
    out = {}
    for name, value in one.items():
        if isinstance(value, dict) and name != "series":
            out |= flat(value, f"{before}{name}.")
        elif not isinstance(value, (list, dict)):
            out[before + name] = value
    return out
