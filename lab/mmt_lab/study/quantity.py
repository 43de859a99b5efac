"""Numbers that experiments show, as expressions over what was measured.

`measured()` tells what it needs of runs, `estimate(samples)` the number, None where something of
that is missing. A series is {round: value}; what is measured once stands under the round None.
"""

import dataclasses
import typing

from .experiment import Run
from ..results.statistics import (
    function_of_medians,
    geometric_mean_of_medians,
    highest_of_medians,
    lowest_of_medians,
    mean_of_medians,
    median_estimate,
    paired_differences,
    paired_ratios,
    ratio_of_means,
)


@dataclasses.dataclass(frozen=True)
class Measured:
    """A metric of a run, as instruments.py names it."""

    run: Run
    metric: str

    def measured(self):
        return [self]

    def series(self, samples):
        return samples.series(self.run, self.metric)

    def estimate(self, samples):
        return median_estimate(list(self.series(samples).values()))


@dataclasses.dataclass(frozen=True)
class Difference:
    """One without the other, of the same runs."""

    whole: Measured
    part: Measured

    def measured(self):
        return [self.whole, self.part]

    def series(self, samples):
        return paired_differences(self.whole.series(samples), self.part.series(samples))

    def estimate(self, samples):
        return median_estimate(list(self.series(samples).values()))


@dataclasses.dataclass(frozen=True)
class Ratio:
    """One over the other, paired by round: what disturbs a whole round falls out."""

    top: "Measured | Difference | Ratio"
    bottom: "Measured | Difference | Ratio"

    def measured(self):
        return self.top.measured() + self.bottom.measured()

    def series(self, samples):
        return paired_ratios(self.top.series(samples), self.bottom.series(samples))

    def estimate(self, samples):
        return median_estimate(list(self.series(samples).values()))


@dataclasses.dataclass(frozen=True)
class _OverPrograms:
    """One number of the medians of all programs. Needs all of them."""

    of: tuple[Ratio, ...]

    def measured(self):
        return [leaf for one in self.of for leaf in one.measured()]

    def estimate(self, samples):
        return self._of_medians([list(one.series(samples).values()) for one in self.of])


class Average(_OverPrograms):
    """The arithmetic mean, as the paper has it."""

    _of_medians = staticmethod(mean_of_medians)


@dataclasses.dataclass(frozen=True)
class AverageOverAverage:
    """An average over programs against another over the same ones. It is not the average of the
    programs' own ratios, in which each would count alike."""

    top: Average
    bottom: Average

    def measured(self):
        return self.top.measured() + self.bottom.measured()

    def estimate(self, samples):
        return ratio_of_means(
            [one.series(samples) for one in self.top.of],
            [one.series(samples) for one in self.bottom.of],
        )


@dataclasses.dataclass(frozen=True)
class OfMedians:
    """A function of the medians of what is measured in rounds, with the interval that those give
    it. It is a difference of the best and the worst, or which is the best. The function is called
    with a list, and gives None where it has no value."""

    function: typing.Callable
    of: tuple

    def measured(self):
        return [leaf for one in self.of for leaf in one.measured()]

    def estimate(self, samples):
        return function_of_medians(self.function, [one.series(samples) for one in self.of])


class GeometricMean(_OverPrograms):
    _of_medians = staticmethod(geometric_mean_of_medians)


class Lowest(_OverPrograms):
    """The best case, where times and misses are measured."""

    _of_medians = staticmethod(lowest_of_medians)


class Highest(_OverPrograms):
    """The worst case, where times and misses are measured."""

    _of_medians = staticmethod(highest_of_medians)
