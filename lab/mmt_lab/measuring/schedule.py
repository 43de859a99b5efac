"""In which order timed runs go: rounds, each with all runs, shuffled anew from the seed.

Runs of one program stay together, so that those which are compared see the same state of the
machine. The order of programs and that of each program's runs change from round to round.
"""

import random

# Fewer give no verdict: statistics.py.
LEAST_ROUNDS = 5
WANTED_ROUNDS = 15
# With a budget and no number of rounds: more than this makes no interval narrower worth the time.
MOST_ROUNDS = 51


def order_of_round(runs, seed, index):
    """Depends on seed and round alone: a study that goes on has the order it would have had."""
    generator = random.Random(f"{seed}/{index}")
    programs = {}
    for run in runs:
        programs.setdefault(run.program.label, []).append(run)
    order = []
    for name in generator.sample(list(programs), len(programs)):
        order += generator.sample(programs[name], len(programs[name]))
    return order


class Budget:
    """How many rounds are run: `rounds` (else WANTED_ROUNDS), or as many as fit into `minutes`."""

    def __init__(self, rounds, minutes, clock, least=LEAST_ROUNDS):
        self._clock = clock
        self._start = clock()
        self._seconds = None if minutes is None else minutes * 60
        self.wanted = rounds or WANTED_ROUNDS
        self.most = rounds or (WANTED_ROUNDS if minutes is None else MOST_ROUNDS)
        self.least = min(least, self.most)

    def elapsed(self):
        return self._clock() - self._start

    def is_spent(self):
        """Whether the time is up."""
        return self._seconds is not None and self.elapsed() >= self._seconds

    def allows(self, rounds_done, next_seconds):
        """Whether to start the round after `rounds_done`, which will take about that long."""
        if rounds_done >= self.most:
            return False
        if rounds_done < self.least or self._seconds is None:
            return True
        return self.elapsed() + next_seconds <= self._seconds

    def warm_up_share(self, warm_ups, share):
        """The share of everything that is done, where that `share` of so many runs before the first round is."""
        rounds = share * warm_ups / (warm_ups + self.most)
        return max(rounds, min(self.elapsed() / self._seconds, 1.0)) if self._seconds else rounds

    def seconds_left(self, rounds_done, round_seconds):
        """An estimate, from the start of the round after `rounds_done`."""
        whole = (self.most - rounds_done) * round_seconds
        if self._seconds is None:
            return whole
        least = max(self.least - rounds_done, 0) * round_seconds
        return min(whole, max(least, self._seconds - self.elapsed()))

    def remarks(self, rounds_done):
        """What the budget did to the study."""
        if self._seconds is None:
            return []
        minutes = self._seconds / 60
        said = []
        if rounds_done < self.wanted:
            said.append(
                f"the budget of {minutes:g} minutes cut the study to {rounds_done} of "
                f"{self.wanted} rounds; 'mmt study' with the same folder goes on"
            )
        over = self.elapsed() - self._seconds
        if over > 0 and rounds_done <= self.least:
            said.append(
                f"the least of {self.least} rounds took {over / 60:.1f} minutes more than the "
                "budget; --only makes a study smaller"
            )
        return said
