"""The settings of the transactional memory: ours, the paper's, and those between. An experiment is asked
again in each, by what its relations need alone."""

import dataclasses

from ...study.experiment import Experiment, Relation, Run
from ...study.quantity import Measured
from . import programs


@dataclasses.dataclass(frozen=True)
class OursAlone(Relation):
    """A relation that no other setting is asked for, as it needs runs that no other relation there does."""


@dataclasses.dataclass(frozen=True)
class Setting:
    name: str  # ends the experiment's
    title: str
    words: tuple[str, ...]  # of the program's command line
    note: str


_DOOMED = (
    "Attempts look after 10,000 reads, or as many as they keep, whether what they read "
    "still holds; a doomed one's fault is caught and counted as an abort."
)

TINYSTM = Setting(
    "tinystm", "the paper's setting", ("--setting", "tinystm"),
    "The transactional memory is set as the paper's TinySTM: no commit privatizes safely, and freed blocks "
    f"go back at once. {_DOOMED}",
)  # fmt: skip
EPOCHS = Setting(
    "epochs", "epochs", ("--setting", "epochs"),
    "No commit privatizes safely, and freed blocks wait for epochs, of which the paper's TinySTM knows, too. "
    f"{_DOOMED}",
)  # fmt: skip
# Between ours and the other two: one cause is taken away, and then the other.
QUIESCED = Setting(
    "quiesced", "no safe privatization, quiescence",
    ("--unsafe-privatization", "--reclamation", "quiesce", "--validate-every", "10000"),
    "No commit privatizes safely; those that free wait for the attempts that then run, as in ours. "
    f"{_DOOMED}",
)  # fmt: skip
OTHERS = (TINYSTM, EPOCHS, QUIESCED)


def under(setting, program):
    """The program in a setting; as it is where it has no transactions. Structures run for a second."""
    words = program.command
    if not words[0].endswith(("/synthetic", "/stamp")):
        return program
    if "--sequential" in words or "threadtest" in words:
        return program
    shorter = ("--milliseconds", "1000") if "--milliseconds" in words else ()
    return dataclasses.replace(
        program,
        name=f"{program.name}, {setting.title}",
        command=(*words, *shorter, *setting.words),
        seconds=1 if shorter else program.seconds,
    )


def _run(setting, run):
    return Run(run.kind, under(setting, run.program), run.allocator)


def _quantity(setting, of):
    """The same of runs in the setting."""
    if isinstance(of, Measured):
        return dataclasses.replace(of, run=_run(setting, of.run))
    if isinstance(of, tuple):
        return tuple(_quantity(setting, one) for one in of)
    if not dataclasses.is_dataclass(of):
        return of
    values = {one.name: _quantity(setting, getattr(of, one.name)) for one in dataclasses.fields(of)}
    return dataclasses.replace(of, **values)


def _relation(setting, of):
    def moved(parts):
        return tuple(dataclasses.replace(one, quantity=_quantity(setting, one.quantity)) for one in parts)

    return dataclasses.replace(of, parts=moved(of.parts), premise=moved(of.premise))


def _grid(setting, of, needed):
    """Those of its numbers whose runs the relations need; None where there are none."""
    cells = {
        place: dataclasses.replace(cell, quantity=_quantity(setting, cell.quantity))
        for place, cell in of.cells.items()
    }
    cells = {
        place: cell
        for place, cell in cells.items()
        if all(one.run in needed for one in cell.quantity.measured())
    }
    rows = tuple(one for one in of.rows if any(place[0] == one for place in cells))
    columns = tuple(one for one in of.columns if any(place[1] == one for place in cells))
    return dataclasses.replace(of, rows=rows, columns=columns, cells=cells) if cells else None


def _note(setting, note):
    return note.replace(programs.STM_NOTE, setting.note)


def in_setting(setting, experiment):
    asked = (one for one in experiment.relations if not isinstance(one, OursAlone))
    relations = tuple(_relation(setting, one) for one in asked)
    needed = {
        leaf.run
        for relation in relations
        for part in relation.parts + relation.premise
        for leaf in part.quantity.measured()
    }
    grids = (_grid(setting, one, needed) for one in experiment.grids)
    return Experiment(
        name=f"{experiment.name}-{setting.name}",
        title=f"{experiment.title}; {setting.title}",
        grids=tuple(one for one in grids if one is not None),
        relations=relations,
        notes=tuple(_note(setting, one) for one in experiment.notes),
        by_name=experiment.by_name,
    )
