"""Section 5.3: OpenMP, where one thread allocates and others share; MPI, where each process does the
same allocation work.
"""

from ...study.experiment import Cell, Experiment, Grid, Part, Program, Relation
from ...study.quantity import Ratio
from ...study.relation import AtMost
from . import real

OPENMP = Program("openmp", ("{workloads}/openmp",), ("--rounds", "2"), seconds=0.2)
MPI = Program("replicas", ("{workloads}/replicas",), ("--operations", "20000"), seconds=0.2)
PAIRS = {"SBT-FF": "SgF-FF", "SBT-BF": "SgF-BF", "ABT-FFWC": "SqF-FFWC"}
SHOWN = (*(real.malloc(one) for pair in PAIRS.items() for one in pair), real.LEA)
SERIAL, SLOWEST, ALONE = "reported.serial", "reported.slowest", "reported.alone"
# Two processes on two processors share caches and memory.
HARDLY = 1.15


def _slowed(allocator):
    return Ratio(real.timed(MPI, allocator, SLOWEST), real.timed(MPI, allocator, ALONE))


def _against(program, metric):
    return tuple(
        Part(f"{one} against {other}", real.over(program, real.malloc(one), real.malloc(other), metric),
             AtMost(1.0))
        for one, other in PAIRS.items()
    )


EXPERIMENT = Experiment(
    name="openmp-mpi",
    title="One thread that allocates for all; the same work in several processes",
    grids=(
        real.grid(
            "OpenMP: time in allocation, while others wait; base: glibc",
            (OPENMP,), SHOWN, real.GLIBC, SERIAL,
        ),
        real.grid(
            "MPI: the slower of two processes; base: glibc", (MPI,), SHOWN, real.GLIBC, SLOWEST
        ),
        Grid(
            "MPI: the slower of two processes, base: one alone",
            "ratio",
            "program",
            (MPI.name,),
            tuple(one.name for one in SHOWN),
            {(MPI.name, one.name): Cell(_slowed(one)) for one in SHOWN},
        ),
    ),
    relations=(
        Relation(
            "Trees allocate faster than lists in the one thread of OpenMP", _against(OPENMP, SERIAL)
        ),
        Relation("Trees are faster than lists in each process of MPI", _against(MPI, SLOWEST)),
        Relation(
            "Processes that do the same side by side hardly slow each other",
            tuple(
                Part(one, _slowed(real.malloc(one)), AtMost(HARDLY)) for one in PAIRS
            ),
        ),
    ),
    notes=(
        "The paper says that its technique is useful there, and measures neither. No MPI is used: what "
        "counts here is that the processes share no heap.",
    ),
)  # fmt: skip
