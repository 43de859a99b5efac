"""What an experiment is: which programs run on which allocators, what is shown of it, and which
relation of the paper it is to reproduce. Declarations only; nothing here measures.
"""

import dataclasses
import enum
import typing


class Inputs(enum.Enum):
    """Which of a program's inputs it is run on."""

    DEFAULT = "default"
    SMALL = "small"  # for a trial
    SHORT = "short"  # for verdicts within an hour: the default's, or less of them
    PAPER = "paper"  # where the paper names one; the default's else


class Kind(enum.Enum):
    """How a run is looked at. Some are repeated in rounds: the others are the same each time, or
    nearly so."""

    TIMED = "timed"
    SAMPLED = "sampled"  # where its CPU time goes, by perf
    REQUESTED = "requested"  # memory asked of the OS, by strace
    COUNTED = "counted"  # objects and bytes allocated, by libmmt-statistics.so
    SIZED = "sized"  # the executable's code size
    MISSES = "misses"  # of the last-level cache, the TLB and of branches, counted or simulated
    EXACT = "exact"  # what the program reports itself: counts and addresses, no times
    CACHES = "caches"  # accesses and misses of the first- and the last-level cache, simulated
    CALLS = "calls"  # how long each call of malloc and free takes, by libmmt-latency.so
    SIMULATED = "simulated"  # a trace, replayed by a model of an allocator
    TOUCHED = "touched"  # the same, with cache lines and pages counted: far slower

    @property
    def is_repeated(self):
        return self in (Kind.TIMED, Kind.SAMPLED, Kind.CALLS)

    @property
    def is_simulated(self):
        return self in (Kind.SIMULATED, Kind.TOUCHED)


@dataclasses.dataclass(frozen=True)
class Program:
    """A benchmark program. Words may begin with {workloads} or {scripts}, folders of MMT; "{tmp}"
    stands for a folder that each run finds empty."""

    name: str
    command: tuple[str, ...]
    small: tuple[str, ...] = ()  # words added for a trial
    short: tuple[str, ...] = ()  # words added for verdicts within an hour; none: the default's input
    package: str = ""  # the Debian package that brings it, where it is not ours
    paper: tuple[str, ...] = ()  # words added for the paper's input, where that is another
    paper_bytes: int = 0  # memory that the paper's input takes, where that is much
    suite: str = ""  # that it belongs to
    rounds: int | None = None  # that it takes part in; None: all
    pin: str = ""  # CPUs to bind it to, as a list: "0,2-3"; empty: any
    environment: tuple[tuple[str, str], ...] = ()
    input: str = "/dev/null"  # to read as standard input
    same_output: bool = False  # standard output must be that of the first allocator
    shown: tuple[str, ...] = ()  # metrics that the console shows; empty: all
    seconds: float = 0.0  # that a run takes, about; 0: durations.py knows
    short_seconds: float = 0.0  # the same, with `short`; 0: as by default

    @property
    def label(self):
        return f"{self.suite}/{self.name}" if self.suite else self.name


@dataclasses.dataclass(frozen=True)
class Allocator:
    """What serves a program's malloc."""

    name: str
    library: str = ""  # file among MMT's libraries; empty: the C library
    behind: str = ""  # another of them, loaded after it: the one that it calls
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def libraries(self):
        """In the order of loading."""
        return tuple(one for one in (self.library, self.behind) if one)

    @property
    def protocol(self):
        """The library that stands before the one that it calls; empty when there is none."""
        return self.library if self.behind else ""


# The C library as it is: for programs whose own custom allocator is what is compared.
SYSTEM = Allocator("system")


@dataclasses.dataclass(frozen=True)
class Run:
    """One program on one allocator, looked at in one way."""

    kind: Kind
    program: Program
    allocator: Allocator = SYSTEM

    @property
    def key(self):
        return f"{self.kind.value} {self.program.label} {self.allocator.name}"


@dataclasses.dataclass(frozen=True)
class Cell:
    """One number of a figure or table: ours, as a quantity, and the paper's."""

    quantity: typing.Any  # of quantity.py
    paper: float | None = None


BOXES = "boxes"
HEAT = "heat"


@dataclasses.dataclass(frozen=True)
class Grid:
    """Numbers of one unit by row and column. A cell that is not declared stays empty."""

    title: str
    unit: str  # of units.py; columns of other units say so in column_units
    row_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[str, str], Cell]
    column_units: dict[str, str] = dataclasses.field(default_factory=dict)
    # Drawn as bars: one column's numbers, all columns' ("*"), or not at all (None). BOXES: a box over
    # the rows for each column. HEAT: a map, each number a coloured field.
    chart_column: str | None = None
    # Columns without a number are left out: which have one is known only when all was measured.
    drops_empty: bool = False

    def unit_of(self, column):
        return self.column_units.get(column, self.unit)


@dataclasses.dataclass(frozen=True)
class Part:
    """One number that a relation speaks of, and the condition for it."""

    label: str
    quantity: typing.Any
    condition: typing.Any  # of relation.py
    paper: float | None = None
    unit: str = "ratio"


@dataclasses.dataclass(frozen=True)
class Relation:
    """What the paper found, to be reproduced: it holds when all parts do."""

    claim: str
    parts: tuple[Part, ...]
    # What must be found first, so that the claim speaks of something: undecided without.
    premise: tuple[Part, ...] = ()
    # Why it may not hold here, as far as it is known: told where it does not.
    reason: str = ""


@dataclasses.dataclass(frozen=True)
class NotCompared:
    """A figure, table or number of the paper that has no counterpart here, and why: a row all the same."""

    claim: str
    reason: str


@dataclasses.dataclass(frozen=True)
class Fact:
    """A line of text beside the numbers, such as a program's input in the paper and here."""

    row: str
    ours: str
    paper: str


@dataclasses.dataclass(frozen=True)
class Experiment:
    name: str  # "figure-3"
    title: str
    grids: tuple[Grid, ...]
    relations: tuple[Relation, ...]
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()  # where ours differs from the paper's
    not_compared: tuple[NotCompared, ...] = ()
    by_name: bool = False  # so long that it runs only where it is named

    def measured(self):
        """All that its numbers need of runs, each once."""
        quantities = [cell.quantity for grid in self.grids for cell in grid.cells.values()]
        quantities += [part.quantity for one in self.relations for part in one.parts + one.premise]
        return list(dict.fromkeys(leaf for one in quantities for leaf in one.measured()))

    def runs(self):
        return list(dict.fromkeys(leaf.run for leaf in self.measured()))


@dataclasses.dataclass(frozen=True)
class Oracles:
    """A command that prints exact values beside those expected, and ends with status 0 where all
    hold."""

    name: str
    command: tuple[str, ...]
    seconds: float  # that it takes, about


@dataclasses.dataclass(frozen=True)
class Study:
    name: str
    title: str
    paper: str
    experiments: tuple[Experiment, ...]
    rounds: int | None = None  # where none are asked for; None: WANTED_ROUNDS
    full_rounds: int | None = None  # the paper's; None: the study has no --full
    oracles: tuple[Oracles, ...] = ()
