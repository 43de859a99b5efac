"""The result of a simulation: one model for all reporters."""

import dataclasses

from .task import LACKS_MEMORY

SCHEMA = 1


@dataclasses.dataclass(frozen=True)
class Problem:
    trace: str
    allocators: tuple
    text: str


@dataclasses.dataclass
class Simulation:
    traces: list  # [{"name", "path", "events"}]
    models: list  # [ModelName]
    results: list = dataclasses.field(default_factory=list)  # a dict a trace and model
    bounds: dict = dataclasses.field(default_factory=dict)  # by trace
    partings: dict = dataclasses.field(default_factory=dict)  # by trace, [dict]
    trees: list = dataclasses.field(default_factory=list)
    checked: list = dataclasses.field(default_factory=list)
    real: list = dataclasses.field(default_factory=list)
    problems: list = dataclasses.field(default_factory=list)
    command: tuple = ()

    def result(self, trace, allocator):
        """None where it could not be replayed."""
        for one in self.results:
            if (one["trace"], one["allocator"]) == (trace, allocator):
                return one
        return None

    def damaged_after(self, trace):
        """How many events of it could be read; None where all could be."""
        found = [one for one in self.results if one["trace"] == trace]
        return found[0].get("damaged_after") if found else None

    def has_results_of(self, trace):
        return any(one["trace"] == trace for one in self.results)

    def replayed(self):
        """How many traces there are figures of."""
        return len({one["trace"] for one in self.results})

    def of_model(self, allocator):
        return [one for one in self.results if one["allocator"] == allocator]

    def trace_names(self):
        return [one["name"] for one in self.traces]

    def model_names(self):
        return [one.name for one in self.models]


def _begin(found, lengths, models):
    traces = [{"name": one.name, "path": one.path, "events": lengths.get(one.name)} for one in found]
    return Simulation(traces, models), {one.path: one.name for one in found}


def _add_problem(simulation, names, task, outcome):
    if outcome.problem:
        simulation.problems.append(Problem(names[task.trace], task.allocators, outcome.problem))


def of_replays(found, lengths, models, outcomes):
    simulation, names = _begin(found, lengths, models)
    by_place = {}
    for task, outcome in outcomes:
        _add_problem(simulation, names, task, outcome)
        for one in outcome.found:
            name = names[task.trace]
            if "bounds" in one:
                simulation.bounds[name] = one["bounds"] | {"align": one["align"]}
            elif "partings" in one:
                simulation.partings[name] = one["partings"]
            else:
                by_place[name, one["allocator"]] = one | {"trace": name}
    for trace in found:
        for model in models:
            if found_one := by_place.get((trace.name, model.name)):
                simulation.results.append(found_one)
    _tell_once(simulation)
    tell_failures(simulation, simulation.results)
    return simulation


def tell_failures(simulation, results):
    """A problem for each that lacked memory: it did not replay its trace whole."""
    for one in results:
        if failed := one["failed"]:
            number = f"{failed} request{'' if failed == 1 else 's'}"
            text = f"trace '{one['trace']}', allocator {one['allocator']}: {number} got no memory"
            simulation.problems.append(Problem(one["trace"], (one["allocator"],), text))


def _tell_once(simulation):
    """What stopped one process stopped them all: a trace that is damaged, or takes too much memory, is told
    of once."""
    seen = {}
    for one in simulation.problems:
        memory = LACKS_MEMORY if one.text.endswith(LACKS_MEMORY) else one.text
        seen.setdefault((one.trace, memory), one)
    simulation.problems = list(seen.values())


def add_trees(simulation, outcomes):
    names = {one["path"]: one["name"] for one in simulation.traces}
    for task, outcome in outcomes:
        _add_problem(simulation, names, task, outcome)
        simulation.trees += [one | {"trace": names[task.trace]} for one in outcome.found]
    _tell_once(simulation)


def of_checks(found, models, outcomes):
    simulation, names = _begin(found, {}, models)
    for task, outcome in outcomes:
        _add_problem(simulation, names, task, outcome)
        simulation.checked += [one | {"trace": names[task.trace]} for one in outcome.found]
    _tell_once(simulation)
    return simulation


def as_plain(simulation):
    """For JSON."""
    return {
        "schema": SCHEMA,
        "kind": "simulation",
        "command": list(simulation.command),
        "traces": simulation.traces,
        "allocators": [{"name": one.name, "factors": one.factors} for one in simulation.models],
        "results": simulation.results,
        "bounds": simulation.bounds,
        "partings": simulation.partings,
        "trees": simulation.trees,
        "checked": simulation.checked,
        "real": simulation.real,
        "problems": [dataclasses.asdict(one) for one in simulation.problems],
    }
