"""What was measured, by run, metric and round; the round of what is measured once is None."""


class Samples:
    def __init__(self):
        self._runs = {}  # run key -> {round: {metric: value}}

    def add(self, run_key, round_index, metrics):
        self._runs.setdefault(run_key, {})[round_index] = metrics

    def has(self, run_key, round_index):
        return round_index in self._runs.get(run_key, {})

    def drop(self, run_key):
        self._runs.pop(run_key, None)

    def has_any(self, run_key):
        return bool(self._runs.get(run_key))

    def series(self, run, metric):
        """{round: value}; empty when the run or the metric is missing."""
        rounds = self._runs.get(run.key, {})
        order = sorted(rounds, key=lambda one: -1 if one is None else one)
        return {one: rounds[one][metric] for one in order if metric in rounds[one]}

    def rounds(self, run_key):
        """[(round, {metric: value})] in order."""
        rounds = self._runs.get(run_key, {})
        return [(one, rounds[one]) for one in sorted(rounds)]

    def flat(self):
        """(run key, metric, round, value) of everything, in a fixed order."""
        for key in sorted(self._runs):
            for index in sorted(self._runs[key], key=lambda one: -1 if one is None else one):
                for metric in sorted(self._runs[key][index]):
                    yield key, metric, index, self._runs[key][index][metric]
