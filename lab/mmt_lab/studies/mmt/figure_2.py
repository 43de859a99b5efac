"""Figure 2: what synchronisation costs, beside a call of the allocator and what lies between two."""

from ...study.experiment import Cell, Experiment, Grid, Kind, Part, Relation, Run
from ...study.quantity import Average, Measured, Ratio
from ...study.relation import AtLeast, WithinFactor
from . import allocators, programs
from .shapes import operations, sampled, wall

BASE = allocators.LEA

# By the paper's tables I and II, averaged over programs without deltablue; its semaphore is one that
# two threads use.
PAPER_AGAINST_BETWEEN = {"lock": 0.37, "semaphore": 1.27}


def primitive(name):
    """Seconds; a metric of workloads/primitives.cpp."""
    return Measured(Run(Kind.TIMED, programs.PRIMITIVES), f"reported.{name}")


def a_call(program):
    """Seconds that a call of the allocator takes, on average over malloc and free."""
    return Ratio(sampled(program, BASE, "allocator"), operations(program))


def between(program):
    """Seconds from one call to the next."""
    return Ratio(wall(program, BASE), operations(program))


COLUMNS = {
    "lock": lambda _: primitive("lock"),
    "semaphore": lambda _: primitive("semaphore"),
    "request to another core": lambda _: primitive("request"),
    "call of the allocator": a_call,
    "from call to call": between,
}


def against(name, of):
    """A primitive's cost over a program's, averaged over programs."""
    return Average(tuple(Ratio(primitive(name), of(one)) for one in programs.ALL))


EXPERIMENT = Experiment(
    name="figure-2",
    title="Synchronisation, calls of the allocator, and the time from one call to the next",
    grids=(
        Grid(
            "Nanoseconds",
            "ns",
            "benchmark",
            tuple(one.name for one in programs.ALL),
            tuple(COLUMNS),
            {
                (program.name, column): Cell(of(program))
                for program in programs.ALL
                for column, of in COLUMNS.items()
            },
            chart_column="*",
        ),
    ),
    relations=(
        Relation(
            "An uncontended lock costs about as much as a call of the allocator",
            (Part("lock against call", against("lock", a_call), WithinFactor(2, 1.0), 1.0),),
        ),
        Relation(
            "A semaphore's signal and wait cost about twice as much as a lock",
            (
                Part(
                    "semaphore against lock",
                    Ratio(primitive("semaphore"), primitive("lock")),
                    WithinFactor(1.3, 2.0),
                    2.0,
                ),
            ),
        ),
        Relation(
            "Synchronisation takes longer than it is from one call to the next",
            tuple(
                Part(f"{name} against it", against(name, between), AtLeast(1.0), paper)
                for name, paper in PAPER_AGAINST_BETWEEN.items()
            ),
        ),
        Relation(
            "Calls follow faster than requests can be handed over",
            (Part("request against it", against("request", between), AtLeast(1.0)),),
        ),
        Relation(
            "To ask another core costs several times what the work itself does",
            (Part("request against call", against("request", a_call), AtLeast(2.0)),),
        ),
    ),
    notes=(
        "Lock and semaphore are pthread's, uncontended, in a process with a second thread; a request "
        "is a minimal semaphore posted to a thread on another CPU, and its answer's waited for. A "
        "call is malloc's and free's mean: the time of figure-1 over the number of both.",
        "A lock and a semaphore cost the same here: lock and unlock, signal and wait are each one "
        "atomic operation on a line that the core has, and a call around it. Why the paper's "
        "semaphore cost more is not known; its Table I has only one that two threads use.",
        "The paper says that both take longer than it is from one call to the next. By its own tables "
        "the lock takes 0.37 of that, and the semaphore of two threads 1.27.",
        "A lock costs more here than a call of the allocator, whose fast path is without any: Lea's "
        "takes its lock only once there is a second thread.",
        allocators.LEA_NOTE,
        programs.NOTE,
    ),
)
