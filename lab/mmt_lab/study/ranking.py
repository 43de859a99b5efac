"""Quantities that come from comparing others: sums, ranks, and what is shown of the best alone.

Their inputs are exact as a rule (simulations). The value of an input with an interval is taken.
"""

import dataclasses
import typing

from ..results.statistics import Estimate


@dataclasses.dataclass(frozen=True)
class Sum:
    """The sum of metrics of one round each."""

    parts: tuple

    def measured(self):
        return [leaf for one in self.parts for leaf in one.measured()]

    def series(self, samples):
        every = [one.series(samples) for one in self.parts]
        return {
            index: sum(one[index] for one in every)
            for index in every[0]
            if all(index in one for one in every)
        }

    def estimate(self, samples):
        every = list(self.series(samples).values())
        if not every:
            return None
        middle = sorted(every)[len(every) // 2]
        return Estimate(middle, min(every), max(every), len(every))


def _exact(value, of):
    return Estimate(float(value), float(value), float(value), min(one.samples for one in of))


@dataclasses.dataclass(frozen=True)
class Computed:
    """A function of values: None where one of them is missing. For what is repeated in rounds take
    quantity.OfMedians: here intervals are lost."""

    function: typing.Callable
    of: tuple

    def measured(self):
        return [leaf for one in self.of for leaf in one.measured()]

    def estimate(self, samples):
        estimates = [one.estimate(samples) for one in self.of]
        if not estimates or None in estimates:
            return None
        value = self.function([one.value for one in estimates])
        return None if value is None else _exact(value, estimates)


@dataclasses.dataclass(frozen=True)
class Field:
    """Contenders by a quantity each, of which less is better. Ties go to the first named."""

    of: tuple[tuple[str, typing.Any], ...]

    def quantities(self):
        return tuple(one for _, one in self.of)

    def order(self, values):
        names = [name for name, _ in self.of]
        return sorted(names, key=lambda name: values[names.index(name)])

    def place(self, name):
        """1 is the best."""
        return Computed(lambda values: self.order(values).index(name) + 1, self.quantities())

    def shared(self, names, size):
        """How many of these names are among the `size` best."""
        return Computed(
            lambda values: len(set(names) & set(self.order(values)[:size])), self.quantities()
        )


@dataclasses.dataclass(frozen=True)
class IfAmong:
    """A quantity, shown where a contender is among the `size` best of a field."""

    quantity: typing.Any
    field: Field
    name: str
    size: int

    def measured(self):
        return self.quantity.measured() + self.field.place(self.name).measured()

    def estimate(self, samples):
        place = self.field.place(self.name).estimate(samples)
        if place is None or place.value > self.size:
            return None
        return self.quantity.estimate(samples)
