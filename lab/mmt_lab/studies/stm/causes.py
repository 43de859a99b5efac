"""Why the settings differ: safe privatization and reclamation, each taken away by itself. An experiment of
ours."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Difference
from ...study.relation import AtLeast, WithinFactor
from . import allocators, programs
from .allocators import FOUR, GLIBC_2011
from .settings import EPOCHS, QUIESCED, TINYSTM, under
from .shapes import aborts, reported

THREADS = 8
COLUMNS = {"ours": None, "no safe privatization": QUIESCED, "that, and epochs": EPOCHS, "that, at once": TINYSTM}
APPLICATIONS = ("genome", "intruder", "yada")
# What a cause has to change, of all attempts.
NOTICED = 0.005
PAPER = 0.066  # of the hash set's attempts, with Glibc


def _program(name, setting):
    structures = programs.STRUCTURES
    program = programs.interleaved(name, THREADS) if name in structures else programs.stamp(name, THREADS)
    return under(setting, program) if setting else program


def _aborts(name, setting, allocator=GLIBC_2011):
    return aborts(_program(name, setting), allocator)


def _grid(name, title):
    shown = FOUR if name == "hash" else (GLIBC_2011,)
    cells = {
        (one.name, column): Cell(_aborts(name, setting, one))
        for one in shown
        for column, setting in COLUMNS.items()
    }
    rows = tuple(one.name for one in shown)
    return Grid(f"{title}: aborts, of all attempts", "share", "allocator", rows, tuple(COLUMNS), cells)


def _doomed():
    """Aborts that only these settings know."""
    columns = {"by validation": "validate_midway", "by a fault": "fault"}
    cells = {
        (f"{name}, {title}", column): Cell(reported(_program(name, setting), GLIBC_2011, metric))
        for name in (*programs.STRUCTURES, *APPLICATIONS)
        for title, setting in COLUMNS.items()
        if setting
        for column, metric in columns.items()
    }
    rows = tuple(dict.fromkeys(row for row, _ in cells))
    return Grid("Doomed attempts that were ended, Glibc", "count", "program", rows, tuple(columns), cells)


def _relations(name, title):
    """Each cause by itself, with Glibc."""
    steps = {
        "safe privatization": (QUIESCED, None),
        "reclamation at once, beside quiescence": (TINYSTM, QUIESCED),
        "epochs, beside quiescence": (EPOCHS, QUIESCED),
    }
    for cause, (without, with_it) in steps.items():
        more = Difference(_aborts(name, without), _aborts(name, with_it))
        verb = "avoids" if with_it is None else "adds"
        yield Relation(
            f"{title}: {cause} {verb} aborts", (Part("Glibc", more, AtLeast(NOTICED), None, "share"),)
        )


def _yada_over_intruder():
    """Yada is known to have a high abort rate; that it is higher than Intruder's is how it is asked here."""
    for column, setting in COLUMNS.items():
        more = Difference(_aborts("yada", setting), _aborts("intruder", setting))
        part = Part("Yada less Intruder", more, AtLeast(NOTICED), None, "share")
        yield Relation(f"Yada has a high abort rate: {column}", (part,))


TITLES = {**programs.TITLES, **{one: one.capitalize() for one in APPLICATIONS}}

EXPERIMENT = Experiment(
    name="causes",
    title=f"Privatization and reclamation as causes of aborts, {THREADS} threads",
    grids=(*(_grid(name, title) for name, title in TITLES.items()), _doomed()),
    relations=(
        Relation(
            "HashSet: in the paper's setting Glibc's aborts are the paper's",
            (Part("Glibc", _aborts("hash", TINYSTM), WithinFactor(1.5, PAPER), PAPER, "share"),),
        ),
        *(one for name in ("hash", "tree", "list", "yada") for one in _relations(name, TITLES[name])),
        *_yada_over_intruder(),
    ),
    notes=(
        programs.INTERLEAVED_NOTE,
        "Applications do not yield: their aborts are those that the scheduler makes. A high abort rate is one "
        "above Intruder's.",
        TINYSTM.note,
        allocators.NOTE,
        programs.STAMP_NOTE,
        programs.NOTE,
    ),
)
