"""The result of `mmt bench`, as its JSON file has it (docs/bench.md, schema 1).

A ratio is this allocator's cost to another's, median over median: below 1 is better, for rates too.
Its interval is drawn over the rounds, each with both allocators' runs.
"""

import dataclasses

SCHEMA = 1


@dataclasses.dataclass(frozen=True)
class Ratio:
    median: float
    low: float
    high: float
    against: str  # an allocator


@dataclasses.dataclass(frozen=True)
class Sample:
    round: int
    value: float


@dataclasses.dataclass(frozen=True)
class Metric:
    unit: str  # of bench_units.py
    median: float
    low: float
    high: float
    samples: tuple[Sample, ...]
    to_glibc: Ratio | None = None
    to_best_peer: Ratio | None = None


@dataclasses.dataclass(frozen=True)
class Cell:
    """One program with one allocator. Where there is a problem, no figure counts."""

    allocator: str
    problem: str | None
    metrics: dict[str, Metric]

    def metric(self, name):
        """None when it was not measured, or does not count."""
        return None if self.problem else self.metrics.get(name)


@dataclasses.dataclass(frozen=True)
class Program:
    suite: str  # empty: given behind "--"
    name: str
    command: tuple[str, ...]
    pin: str  # CPUs; empty: not bound
    cells: tuple[Cell, ...]
    shown: tuple[str, ...] = ()  # metrics that the console shows; empty: all

    @property
    def label(self):
        return f"{self.suite}/{self.name}" if self.suite else self.name

    def metric_names(self):
        """In the order in which they first appear."""
        return list(dict.fromkeys(name for cell in self.cells for name in cell.metrics))


@dataclasses.dataclass(frozen=True)
class Allocator:
    name: str
    path: str  # the library; empty for the C library's own
    options: str  # of MMT only
    malloc_from: str  # the file that was seen to serve malloc
    version: str = ""  # empty: unknown
    is_mmt: bool | None = None  # None: by its name

    @property
    def is_ours(self):
        return self.name.startswith("mmt") if self.is_mmt is None else self.is_mmt

    @property
    def title(self):
        return f"{self.name} {self.version}" if self.version else self.name


@dataclasses.dataclass(frozen=True)
class Missing:
    """What was asked for and is not on the machine, and what would bring it."""

    name: str
    remedy: str


@dataclasses.dataclass(frozen=True)
class BenchResult:
    schema: int
    kind: str
    command: tuple[str, ...]
    machine: dict
    seed: int
    rounds: int
    rss_floor: float  # bytes
    allocators: tuple[Allocator, ...]
    missing_allocators: tuple[Missing, ...]
    missing_programs: tuple[Missing, ...]
    programs: tuple[Program, ...]
    remarks: tuple[str, ...] = ()  # what disturbs the figures

    def has_problem(self):
        return any(cell.problem for program in self.programs for cell in program.cells)
