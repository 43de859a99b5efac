"""Which processes replay what. A trace is decoded once a process, so a short one is replayed by a
single process for all its models. For a long one each model has a process of its own."""

from .task import Task

SHORT = 300_000  # events
UNKNOWN = 1_000_000  # events of a trace that does not tell
SAMPLES = 256
MAP_ROWS = 128
DEFAULT_ALIGN = 16


class Plan:
    def __init__(self, options, found, lengths, models, jobs):
        self._options = options
        self._found = found
        self._lengths = lengths
        self._models = models
        self._jobs = jobs

    def replays(self):
        """Long ones first, so that none begins last."""
        tasks = [task for trace in self._found for task in self._of(trace)]
        return sorted(tasks, key=lambda one: -one.weight)

    def checks(self):
        return [
            Task(one.path, (model.name,),
                 (*self._slice(), "--check", "1", "--shrunk", f"{one.name}-{model.name}.rep".replace("/", "_")),
                 self._events(one))
            for one in self._found
            for model in self._models
        ]  # fmt: skip

    def trees(self, simulation):
        """A look at each model before the event of its longest search."""
        paths = {one.name: one.path for one in self._found}
        tasks = []
        for one in simulation.results:
            searches = one["nodes_searched"]["allocation"]
            if searches["max"]:
                flags = (*self._slice(), "--tree", str(searches["max_event"]))
                weight = searches["max_event"] + 1
                tasks.append(Task(paths[one["trace"]], (one["allocator"],), flags, weight))
        return tasks

    def _events(self, trace):
        events = self._lengths[trace.name] or UNKNOWN
        return min(self._options.events or events, events)

    def _slice(self):
        flags = []
        if self._options.first:
            flags += ["--first", str(self._options.first)]
        if self._options.events:
            flags += ["--events", str(self._options.events)]
        return flags

    def _of(self, trace):
        events = self._events(trace)
        names = tuple(one.name for one in self._models)
        flags = [*self._slice()]
        if self._options.touches:
            flags.append("--touches")
        if self._options.real:
            flags.append("--resident")
        shown = ["--series", "--samples", str(SAMPLES), "--map", str(MAP_ROWS)]
        flags += shown if self._options.html else []
        # As many processes as there is work for, if the trace is short or there are many of them.
        is_short = events <= SHORT
        parts = [names] if is_short else [(one,) for one in names]
        for part in parts:
            if part:
                yield Task(trace.path, part, tuple(flags), events * len(part))
        if (self._options.html or self._options.json) and len(names) > 1:
            yield Task(trace.path, names, (*self._slice(), "--partings"), events)
        if not self._options.no_bounds:
            align = str(min([int(one.factors["align"]) for one in self._models] or [DEFAULT_ALIGN]))
            yield Task(trace.path, (), (*self._slice(), "--bounds", "--align", align), events)
