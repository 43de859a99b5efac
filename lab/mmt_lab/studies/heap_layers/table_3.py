"""Table 3: the memory-intensive benchmarks, their inputs, and that each found its answer right."""

from ...study.experiment import Cell, Experiment, Fact, Grid, NotCompared
from . import allocators, table_5
from .programs import MEMORY_INTENSIVE

# Program: the paper's words, ours.
FACTS = {
    "cfrac": (
        "factors numbers: a 36-digit number",
        "continued fractions on integers in heap blocks: a 36-digit number of two primes; the "
        "factors are multiplied",
    ),
    "espresso": (
        "optimizer for PLAs: test2",
        "two-level minimiser: a PLA from a seeded generator; the result is proved equivalent",
    ),
    "lindsay": (
        "hypercube simulator: script.mine",
        "nodes with message queues: a script; what arrives is checked",
    ),
    "lrusim": (
        "a locality analyzer: an 800MB trace",
        "stack distances by a tree: a trace from a seeded generator; compared with a list",
    ),
    "perl": (
        "Perl interpreter: perfect.in",
        "the system's perl: perfect.pl, perfect numbers by hashes; compared with a sieve",
    ),
    "roboop": (
        "Robotics simulator: included benchmark",
        "robot dynamics on heap matrices: forward and inverse, each checked by the other",
    ),
}
PAPER_TIMES = {
    name: row[allocators.ALL.index(allocators.LEA)] for name, row in table_5.PAPER.items()
}
COLUMN = "run time on Lea"

EXPERIMENT = Experiment(
    name="table-3",
    title="Memory-intensive benchmarks",
    grids=(
        Grid(
            title="Each ran to its end and found its own answer right",
            unit="s",
            row_title="benchmark",
            rows=tuple(one.name for one in MEMORY_INTENSIVE),
            columns=(COLUMN,),
            cells={
                (one.name, COLUMN): Cell(
                    table_5.measured(one, allocators.LEA), PAPER_TIMES[one.name]
                )
                for one in MEMORY_INTENSIVE
            },
        ),
    ),
    relations=(),
    facts=tuple(Fact(name, ours, paper) for name, (paper, ours) in FACTS.items()),
    notes=("A program whose own check fails ends with an error, and is named as missing.",),
    not_compared=(
        NotCompared(
            "Table 3: six programs and their inputs",
            "the programs are our own, but for perl; each proves its own answer right, or is missing",
        ),
    ),
)
