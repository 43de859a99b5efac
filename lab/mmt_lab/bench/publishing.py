"""Hands the result of `mmt bench` to its reporters."""

import sys

from ..command.failure import FAILED, Failure, tell
from ..command.standard_output import lost

REPORTS = ("json", "csv", "markdown")


def takes_standard_output(options):
    """Whether a report goes there: what is for people goes to standard error then."""
    return "-" in [getattr(options, one) for one in REPORTS]


def publish(result, options, outputs, interrupted):
    """Prints first: whatever becomes of the files, the results are not lost."""
    from ..reporters import bench_console, bench_files

    status = FAILED if result.has_problem() else 0
    stream = sys.stderr if takes_standard_output(options) else sys.stdout
    try:
        bench_console.show(result, stream, options.wide)
        stream.flush()
    except OSError as error:
        if stream is sys.stdout:
            status = lost(error)
    if interrupted:
        rounds = f"{result.rounds} round{'' if result.rounds == 1 else 's'}"
        tell(f"interrupted after {rounds}; this is what they showed")
        status = interrupted
    for name, output in outputs.items():
        try:
            output.write(getattr(bench_files, f"render_{name}")(result))
        except Failure as failure:
            tell(failure)
            status = FAILED
    return status
