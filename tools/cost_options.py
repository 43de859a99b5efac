"""What the tools that measure costs have in common: how many rounds, of which mmt, and where samples go."""

import csv
import io
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "lab"))
from mmt_lab.command.failure import Failure  # noqa: E402
from mmt_lab.text.output_file import OutputFile  # noqa: E402


def add_to(parser, rounds):
    parser.add_argument("--rounds", type=int, default=rounds, help=f"interleaved rounds [{rounds}]")
    parser.add_argument("--binary", default=str(ROOT / "build/release/bin/mmt"), help="the mmt to measure")
    parser.add_argument("--csv", help="where every sample goes")


def parse(parser):
    """The options, `binary` as a whole path and `table` for write_samples(); or the parser's error, before
    anything is measured."""
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    if not pathlib.Path(options.binary).is_file():
        parser.error(f"there is no program '{options.binary}': make it, or give --binary")
    options.binary = str(pathlib.Path(options.binary).resolve())
    try:
        options.table = OutputFile(options.csv) if options.csv else None
    except Failure as failure:
        parser.error(str(failure))
    return options


def write_samples(table, columns, rows):
    if table:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([columns, *rows])
        table.write(text.getvalue())
