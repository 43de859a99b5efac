"""A table of programs by allocators, and parts of relations that compare two of its columns."""

import dataclasses
import typing

from ...study.experiment import Part
from ...study.quantity import Average, Highest, Lowest, Ratio


def mean(values):
    return sum(values) / len(values)


# What one number of all programs is in the paper's table.
_OF_PAPERS = {Average: mean, Lowest: min, Highest: max}


@dataclasses.dataclass(frozen=True)
class Table:
    programs: tuple
    allocators: tuple
    quantity: typing.Callable  # ours, of a program and an allocator
    paper: dict  # {program: values in the order of allocators}

    def only(self, *names):
        return dataclasses.replace(self, programs=tuple(one for one in self.programs if one.name in names))

    def without(self, *names):
        return self.only(*(one.name for one in self.programs if one.name not in names))

    def value(self, program, allocator):
        """The paper's."""
        return self.paper[program.name][self.allocators.index(allocator)]

    def ratio(self, program, top, bottom):
        return Ratio(self.quantity(program, top), self.quantity(program, bottom))

    def paper_ratio(self, program, top, bottom):
        return self.value(program, top) / self.value(program, bottom)

    def each(self, top, bottom, condition, label="{program}"):
        """One allocator over another, a part for each program."""
        return tuple(
            Part(
                label.format(program=one.name),
                self.ratio(one, top, bottom),
                condition,
                self.paper_ratio(one, top, bottom),
            )
            for one in self.programs
        )

    def over_programs(self, label, of, top, bottom, condition):
        """The average, the lowest or the highest of the same, as a part."""
        ours = of(tuple(self.ratio(one, top, bottom) for one in self.programs))
        papers = [self.paper_ratio(one, top, bottom) for one in self.programs]
        return Part(label, ours, condition, _OF_PAPERS[of](papers))

    def average(self, top, bottom, condition):
        label = f"{top.name} against {bottom.name}, average"
        return self.over_programs(label, Average, top, bottom, condition)
