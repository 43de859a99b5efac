"""What samples depend on: a study goes on only where all of it is as it was when it began."""

import os
import pathlib
import shutil

from ..study.experiment import Kind
from .installation import digest
from ..measuring.instruments import STATISTICS_LIBRARY


def _files_of(run, installation, inputs):
    """Files that decide what a run does. These are its program and the data that our programs have
    beside them, and the files named on its command line. Its allocator is one, with what counts for
    it."""
    words = installation.command(run.program, inputs)
    program = shutil.which(words[0]) or words[0]
    yield program
    for path in (pathlib.Path(program).parent / "data").rglob("*"):
        if path.is_file():
            yield str(path)
    for word in words[1:]:
        if os.path.isfile(word):
            yield word
    for library in run.allocator.libraries:
        yield str(installation.library(library))
    if run.kind is Kind.COUNTED:
        yield str(installation.library(STATISTICS_LIBRARY))


def of_study(study, runs, installation, manifest, settings):
    """{what: value}, with the digest of every file that takes part."""
    files = sorted(
        {one for run in runs for one in _files_of(run, installation, settings.inputs)}
        | {str(installation.binary)}
    )
    return {
        "study": study.name,
        "seed": settings.seed,
        "only": list(settings.only),
        "inputs": settings.inputs.value,
        **manifest,
        **{one: digest(one) for one in files},
    }


def command_lines(runs, bench):
    """{run: its variables and words}, as a shell would take them."""
    lines = {}
    for run in runs:
        variables = [
            f"{name}={value}" for name, value in bench.proofs.environment(run.allocator).items()
        ]
        words = bench.installation.command(run.program, bench.inputs)
        if run.kind.is_simulated:
            words += ["--allocator", run.allocator.name]
        lines[run.key] = " ".join([*variables, *words])
    return lines
