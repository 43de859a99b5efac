"""Finds the results of `mmt bench` and `mmt study` on disk, and reads them.

A folder's own *.json files count, and report.json of the folders directly in it. JSON that is
neither's result is passed over there; what is one, and cannot be used, never is. Only regular files
are opened: a pipe that nobody writes to would be waited for for ever.
"""

import dataclasses
import json
import os
import pathlib
import stat
import typing

from . import bench_result, result
from ..command import memory_bound
from ..measuring import journal
from ..text import json_input
from ..command.failure import USAGE, Failure
from .from_plain import Mismatch, decode

KINDS = {
    "bench": (bench_result.BenchResult, bench_result.SCHEMA),
    "study": (result.StudyResult, result.SCHEMA),
}
STUDY_REPORT = "report.json"
MOST_FIELDS = 10_000  # of a grid without cells
EMPTY_FIELDS = 16  # for each cell
READ = "read are a file of 'mmt bench --json', a study's folder, or a folder of such"


@dataclasses.dataclass(frozen=True)
class Found:
    path: pathlib.Path
    result: typing.Any  # StudyResult or BenchResult


def find(arguments):
    """[Found] in the order of the arguments, each file once. Raises a Failure that names what
    cannot be used. Its status is 2 for an argument without a result, 1 for a file that is no whole
    one."""
    found = {}
    for argument in arguments:
        if not argument:  # a path made of it would be the current folder
            raise Failure("an argument is empty: it names no file and no folder", USAGE)
        for one in _of_argument(pathlib.Path(argument)):
            found.setdefault(os.path.realpath(one.path), one)
    return list(found.values())


def _of_argument(path):
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise Failure(f"there is no '{path}'", USAGE) from None
    except OSError as error:
        raise Failure(f"cannot read '{path}': {error.strerror}") from None
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise Failure(f"'{path}' is no file and no folder", USAGE)
    some = _in_folder(path) if stat.S_ISDIR(mode) else [_result_or_none(path)]
    if None in some:
        raise Failure(f"'{path}' is no result of 'mmt bench' or 'mmt study': {READ}", USAGE)
    if not some:
        raise Failure(f"there is no result of 'mmt bench' or 'mmt study' in '{path}'", USAGE)
    return some


def _in_folder(folder):
    files = []
    for one in _entries(folder):
        if one.is_dir():
            if (one / STUDY_REPORT).is_file():
                files.append(one / STUDY_REPORT)
            elif (one / journal.NAME).exists():
                raise _unfinished(one)
        elif one.suffix == ".json" and not one.name.startswith(".") and not _is_special(one):
            files.append(one)
    found = [one for one in map(_result_or_none, files) if one is not None]
    if not found and (folder / journal.NAME).exists():
        raise _unfinished(folder)
    return found


def _entries(folder):
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise Failure(f"cannot read the folder '{folder}': {error.strerror}") from None


def _is_special(path):
    """Whether it is there, and neither file nor folder."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False  # whoever reads it says what is wrong


def _unfinished(folder):
    return Failure(f"the study in '{folder}' has not come to a report; its command goes on with it")


def _result_or_none(path):
    """None for JSON that is something else."""
    data = _json(path)
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        return None
    shape, schema = KINDS[kind]
    theirs = data.get("schema")
    if type(theirs) is not int or theirs != schema:
        raise Failure(
            f"'{path}' has schema {json.dumps(theirs)[:40]}; of 'mmt {kind}' this version reads "
            f"schema {schema}"
        )
    try:
        return Found(path, _checked(decode(shape, data)))
    except Mismatch as mismatch:
        raise Failure(f"'{path}' is damaged: {mismatch}") from None


def _checked(one):
    """A bench whose cells are in the order of its allocators, as they are to be. Or a study: most
    fields of its grids have a cell, so what is drawn of a file grows as it does."""
    if one.kind == "study":
        for at, experiment in enumerate(one.experiments):
            for number, grid in enumerate(experiment.grids):
                if len(grid.rows) * len(grid.columns) > MOST_FIELDS + EMPTY_FIELDS * len(grid.cells):
                    raise Mismatch(f"experiments[{at}].grids[{number}] has more fields than its cells fill")
    if one.kind == "bench":
        names = [allocator.name for allocator in one.allocators]
        for at, program in enumerate(one.programs):
            if [cell.allocator for cell in program.cells] != names:
                raise Mismatch(f"programs[{at}].cells are not those of its allocators")
            for number, cell in enumerate(program.cells):
                _check_metrics(cell.metrics, names, f"programs[{at}].cells[{number}]")
    return one


def _check_metrics(metrics, names, place):
    for name, metric in metrics.items():
        if not metric.samples:
            raise Mismatch(f"{place}.metrics.{name} has no samples")
        for ratio in (metric.to_glibc, metric.to_best_peer):
            if ratio is not None and ratio.against not in names:
                raise Mismatch(f"{place}.metrics.{name} is held against none of its allocators")


def _json(path):
    memory_bound.now_reading(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Failure(f"cannot read '{path}': {error.strerror}") from None
    if not content.strip():
        raise Failure(f"'{path}' is empty: what writes it has failed or goes on")
    try:
        return json_input.parse(content)
    except json_input.NotJson as wrong:
        raise Failure(f"'{path}' {wrong}; {READ}") from None
