"""How much rounds vary: the width of a number's interval, of the number."""

import dataclasses

from ...results.statistics import Estimate


@dataclasses.dataclass(frozen=True)
class WidthOverWidest:
    """The mean width of one program's intervals over the widest of others', each the mean of several
    allocators. It has no interval itself."""

    of: tuple
    others: tuple[tuple, ...]

    def measured(self):
        return [leaf for group in (self.of, *self.others) for one in group for leaf in one.measured()]

    def estimate(self, samples):
        groups = [[one.estimate(samples) for one in group] for group in (self.of, *self.others)]
        estimates = [one for group in groups for one in group]
        if None in estimates or not all(one.value for one in estimates):
            return None
        own, *others = map(_mean_width, groups)
        if not max(others):
            return None
        value = own / max(others)
        return Estimate(value, value, value, min(one.samples for one in estimates))


def _mean_width(estimates):
    return sum((one.high - one.low) / one.value for one in estimates) / len(estimates)
