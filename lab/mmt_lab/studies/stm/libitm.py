"""Our transactional memory beside GCC's libitm, and beside the same code without transactions, on the
three structures. An experiment of ours."""

from ...study.experiment import Cell, Experiment, Grid, Kind, Part, Program, Relation, Run
from ...study.quantity import Measured
from ...study.relation import AtLeast
from . import programs

THREADS = (1, 2)
ML_WT = "ITM_DEFAULT_METHOD=ml_wt"


def _program(structure, threads):
    """One pair a contender: the study repeats it in rounds."""
    return Program(
        f"peers: {structure}, {threads} threads",
        (
            "{workloads}/stm/peers", "--structure", structure, "--threads", str(threads),
            "--updates", str(programs.UPDATES), "--rounds", "1",
        ),
        ("--operations", "500"),
        seconds=1.5,
    )  # fmt: skip


def _metric(structure, threads, name):
    return Measured(Run(Kind.TIMED, _program(structure, threads)), f"reported.{name}")


def _speed(structure, threads, peer):
    """The peer's time over ours, of two runs one after the other."""
    return _metric(structure, threads, f"{peer}_to_ours")


def _grid(title, unit, quantity, threads=THREADS):
    return Grid(
        title,
        unit,
        "structure",
        tuple(programs.TITLES[one] for one in programs.STRUCTURES),
        tuple(programs.count_of(number) for number in threads),
        {
            (programs.TITLES[one], programs.count_of(number)): Cell(quantity(one, number))
            for one in programs.STRUCTURES
            for number in threads
        },
        chart_column="*",
    )


EXPERIMENT = Experiment(
    name="libitm",
    title="Beside GCC's libitm: list, hash set, tree",
    grids=(
        _grid("Time of an operation", "ns", lambda *at: _metric(*at, "ours")),
        _grid(f"Speed, base: libitm, {ML_WT}", "ratio", lambda *at: _speed(*at, "libitm_ml_wt")),
        _grid("Speed, base: libitm as it chooses", "ratio", lambda *at: _speed(*at, "libitm")),
        _grid("Speed, base: no transactions", "ratio", lambda *at: _speed(*at, "plain"), (1,)),
    ),
    relations=(
        Relation(
            f"One thread: at least 1.3 times as fast as libitm with {ML_WT}",
            tuple(
                Part(programs.TITLES[one], _speed(one, 1, "libitm_ml_wt"), AtLeast(1.3))
                for one in programs.STRUCTURES
            ),
            reason="half of the list's time is the walk, which takes as long without transactions",
        ),
        Relation(
            "One thread: the list takes at most four times as long as without transactions",
            (Part(programs.TITLES["list"], _speed("list", 1, "plain"), AtLeast(0.25)),),
        ),
    ),
    notes=(
        "By itself libitm runs one thread without any instrumentation: a run that is no transaction. "
        "Where the compiler has no libitm, nothing is measured of it.",
        "Ours privatizes safely and frees after quiescence, as libitm does.",
    ),
)
