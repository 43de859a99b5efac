"""Table 2: the machine."""

from ...study.experiment import Cell, Experiment, Grid, NotCompared
from .allocators import GLIBC
from .shapes import probed

MIB = 1 << 20
# {row: (metric, unit, the paper's)}
ROWS = {
    "CPUs": ("cores", "count", 8),
    "L1 data cache": ("l1_data", "bytes", 32 << 10),
    "cache line": ("line", "bytes", 64),
    "L2 cache": ("l2", "bytes", 6 * MIB),
    "L3 cache": ("l3", "bytes", None),
    "memory": ("memory", "bytes", 4 << 30),
}

EXPERIMENT = Experiment(
    name="table-2",
    title="The machine, beside the paper's",
    grids=tuple(
        Grid(row, unit, "part", (row,), ("here",), {(row, "here"): Cell(probed(GLIBC, metric), paper)})
        for row, (metric, unit, paper) in ROWS.items()
    ),
    relations=(),
    notes=(
        "The paper's is a Xeon E5405 with two L2 caches of 6 MiB and no L3. Above two threads a machine "
        "of two CPUs is oversubscribed, which the paper's never is.",
    ),
    not_compared=(NotCompared("Table 2: the machine", "two virtual CPUs stand in for eight cores"),),
)
