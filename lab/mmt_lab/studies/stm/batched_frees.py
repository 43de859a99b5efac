"""A commit's frees handed to the memory thread as one batch, against one after the other.
An experiment of ours."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtLeast
from . import programs
from .allocators import OURS
from .shapes import reported, seconds

APPLICATIONS = ("intruder", "yada")
THREADS = (1, 2, 8)


def _batched(application, threads):
    return programs.stamp(application, threads, batch_frees=True)


def _speed(application, threads):
    return Ratio(
        seconds(programs.stamp(application, threads), OURS),
        seconds(_batched(application, threads), OURS),
    )


def _size(application, threads):
    program = _batched(application, threads)
    return Ratio(reported(program, OURS, "batched"), reported(program, OURS, "batches"))


def _grid(title, unit, quantity):
    cells = {
        (application, programs.count_of(threads)): Cell(quantity(application, threads))
        for application in APPLICATIONS
        for threads in THREADS
    }
    columns = tuple(programs.count_of(one) for one in THREADS)
    return Grid(title, unit, "application", APPLICATIONS, columns, cells, chart_column="*")


EXPERIMENT = Experiment(
    name="batched-frees",
    title="Frees of a commit handed over as one batch, under mmt",
    grids=(
        _grid("Speed, base: freed one after the other", "ratio", _speed),
        _grid("Blocks of a batch", "mean", _size),
    ),
    relations=(
        Relation(
            "A batch is not slower",
            tuple(
                Part(f"{application}, {threads} threads", _speed(application, threads), AtLeast(1.0))
                for application in APPLICATIONS
                for threads in (1, 2)
            ),
            reason="a commit frees six blocks in Yada, nine in Intruder: handing over so few costs more "
            "than it saves",
        ),
    ),
    notes=(programs.STAMP_NOTE, programs.NOTE),
)
