"""Statistics of small samples: medians with percentile bootstrap intervals of 95%.

Deterministic: each interval is drawn from a generator with a fixed seed. RandomState is used
because its stream is frozen, so that another version of numpy prints the same interval.
"""

import dataclasses

import numpy

RESAMPLES = 2000
# An interval of fewer samples would say more than the samples do. No interval is shown then, and nothing
# is judged.
ENOUGH = 5
LEVEL = 95
SEED = 20260101


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A value with the bounds of its interval; the bounds of an exact value are the value."""

    value: float
    low: float
    high: float
    samples: int

    @property
    def has_interval(self):
        """That can be shown: neither of an exact value nor of too few samples."""
        return self.low != self.high and self.samples >= ENOUGH


def _resampled_medians(values, generator):
    array = numpy.asarray(values, dtype=float)
    draws = generator.randint(0, len(array), size=(RESAMPLES, len(array)))
    return numpy.median(array[draws], axis=1)


def _bounds(resampled):
    tail = (100 - LEVEL) / 2
    low, high = numpy.percentile(resampled, [tail, 100 - tail])
    return float(low), float(high)


def median_estimate(values):
    """The median; None of no sample. The bounds of fewer than three samples are the extremes."""
    if not values:
        return None
    median = float(numpy.median(values))
    if len(values) < 3:
        return Estimate(median, float(min(values)), float(max(values)), len(values))
    low, high = _bounds(_resampled_medians(values, numpy.random.RandomState(SEED)))
    return Estimate(median, low, high, len(values))


def mean_of_medians(groups):
    """The arithmetic mean of the groups' medians, each group resampled on its own. None when there
    is no group or one of them is empty."""
    if not groups or not all(groups):
        return None
    mean = float(numpy.mean([numpy.median(one) for one in groups]))
    count = min(len(one) for one in groups)
    generator = numpy.random.RandomState(SEED)
    low, high = _bounds(numpy.mean([_resampled_medians(one, generator) for one in groups], axis=0))
    return Estimate(mean, low, high, count)


def ratio_of_means(tops, bottoms):
    """One mean of medians over another, of groups that belong together in pairs, each {round: value},
    positive. A pair's two are resampled by the same rounds, so that what disturbs both falls out.
    None when there is no pair, or one has no round in common."""
    pairs = [list(_paired(*pair).values()) for pair in zip(tops, bottoms, strict=True)]
    if not pairs or not all(pairs):
        return None
    top, bottom = numpy.mean([numpy.median(one, axis=0) for one in pairs], axis=0)
    count = min(len(one) for one in pairs)
    generator = numpy.random.RandomState(SEED)
    means = numpy.mean([_resampled_medians(one, generator) for one in pairs], axis=0)
    low, high = _bounds(means[:, 0] / means[:, 1])
    return Estimate(float(top / bottom), low, high, count)


def _resampled_ratios(pairs, generator):
    """Ratios of medians of [(top, bottom)], each draw with whole pairs; those over 0 are left out."""
    top, bottom = _resampled_medians_of_pairs(pairs, generator)
    return top[bottom > 0] / bottom[bottom > 0]


def _resampled_medians_of_pairs(pairs, generator):
    array = numpy.asarray(pairs, dtype=float)
    draws = generator.randint(0, len(array), size=(RESAMPLES, len(array)))
    return numpy.median(array[draws], axis=1).T


def ratio_of_medians(tops, bottoms):
    """The median of one {round: value} over that of another, of the rounds that both have. It is
    the ratio of the medians that stand beside it. None of no such round, and where the median below
    is 0."""
    pairs = list(_paired(tops, bottoms).values())
    top, bottom = numpy.median(pairs, axis=0) if pairs else (0.0, 0.0)
    if bottom <= 0:
        return None
    value = float(top / bottom)
    if len(pairs) < 3:
        ratios = [one / other for one, other in pairs if other > 0] or [value]
        return Estimate(value, min(ratios), max(ratios), len(pairs))
    low, high = _bounds(_resampled_ratios(pairs, numpy.random.RandomState(SEED)))
    return Estimate(value, low, high, len(pairs))


def geometric_mean_of_ratios(sides):
    """The geometric mean of ratio_of_medians() over [(tops, bottoms)]; None where one has none."""
    groups = [list(_paired(*one).values()) for one in sides]
    if not groups or not all(groups):
        return None
    medians = numpy.array([numpy.median(one, axis=0) for one in groups])
    if not (medians > 0).all():
        return None
    value = float(numpy.exp(numpy.mean(numpy.log(medians[:, 0] / medians[:, 1]))))
    generator = numpy.random.RandomState(SEED)
    draws = [_resampled_medians_of_pairs(one, generator) for one in groups]
    with numpy.errstate(divide="ignore", invalid="ignore"):
        logs = numpy.mean([numpy.log(top / bottom) for top, bottom in draws], axis=0)
    low, high = _bounds(numpy.exp(logs[numpy.isfinite(logs)]))
    return Estimate(value, low, high, min(len(one) for one in groups))


def geometric_mean_of_medians(groups):
    """As mean_of_medians() for the geometric mean, of positive values."""
    if not groups or not all(groups):
        return None
    mean = float(numpy.exp(numpy.mean([numpy.log(numpy.median(one)) for one in groups])))
    count = min(len(one) for one in groups)
    generator = numpy.random.RandomState(SEED)
    logs = numpy.log([_resampled_medians(one, generator) for one in groups])
    low, high = _bounds(numpy.exp(numpy.mean(logs, axis=0)))
    return Estimate(mean, low, high, count)


def lowest_of_medians(groups):
    """The least of the groups' medians, as mean_of_medians()."""
    return _extreme_of_medians(groups, numpy.min)


def highest_of_medians(groups):
    """The greatest of them."""
    return _extreme_of_medians(groups, numpy.max)


def _extreme_of_medians(groups, extreme):
    if not groups or not all(groups):
        return None
    value = float(extreme([numpy.median(one) for one in groups]))
    count = min(len(one) for one in groups)
    generator = numpy.random.RandomState(SEED)
    low, high = _bounds(extreme([_resampled_medians(one, generator) for one in groups], axis=0))
    return Estimate(value, low, high, count)


def function_of_medians(function, groups):
    """`function` of the medians of several {round: value}, of the rounds that all have. It is
    called with a list, and gives None where it has no value. All are resampled by the same rounds,
    so that what disturbs a whole round falls out. None of no such round."""
    rounds = _common(groups)
    if not rounds:
        return None
    value = function(numpy.median(rounds, axis=0).tolist())
    if value is None:
        return None
    if len(rounds) < 3:
        every = [one for one in map(function, rounds) if one is not None] or [value]
        return Estimate(float(value), float(min(every)), float(max(every)), len(rounds))
    draws = _resampled_medians_of_pairs(rounds, numpy.random.RandomState(SEED)).T.tolist()
    low, high = _bounds([one for one in map(function, draws) if one is not None] or [value])
    return Estimate(float(value), low, high, len(rounds))


def _common(groups):
    """The values of all {round: value}, a list for each round that they have in common."""
    repeated = [set(one) for one in groups if None not in one]
    common = set.intersection(*repeated) if repeated else {None} if groups else set()
    return [
        [one.get(index, one.get(None)) for one in groups]
        for index in sorted(common, key=lambda one: -1 if one is None else one)
    ]


def paired_differences(tops, bottoms):
    """{round: difference} of two {round: value}, of the rounds that both have."""
    return {index: tops[index] - bottoms[index] for index in tops if index in bottoms}


def _paired(tops, bottoms):
    """{round: (top, bottom)} of two {round: value}, of the rounds that both have. A series of one
    exact value, under the round None, pairs with every round of the other."""
    if None in tops and None not in bottoms:
        tops = dict.fromkeys(bottoms, tops[None])
    if None in bottoms and None not in tops:
        bottoms = dict.fromkeys(tops, bottoms[None])
    rounds = sorted(tops, key=lambda one: -1 if one is None else one)
    return {index: (tops[index], bottoms[index]) for index in rounds if index in bottoms}


def paired_ratios(tops, bottoms):
    """{round: ratio}, paired so. Zeros below are left out."""
    return {
        index: top / bottom for index, (top, bottom) in _paired(tops, bottoms).items() if bottom
    }
