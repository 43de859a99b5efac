"""What `mmt simulate` understands."""

from ..command import memory_bound
from ..command.command_line import check_names, names_in, number, parser_for

# The twelve that the paper compares.
TWELVE = (
    "sqf-ff", "sqf-bf", "abt-ff", "abt-bf", "sqf-ffwc", "sqf-bfwc", "abt-ffwc", "abt-bfwc",
    "sgf-ff", "sgf-bf", "sbt-ff", "sbt-bf",
)  # fmt: skip
REPORTS = ("json", "csv", "parquet", "html")


def specs(text):
    """Names of models. Commas stand between names, and between the keys of one, too. What has an
    "=" and no ":" belongs to the name before it, and so does "paper"."""
    check_names(text)
    names = []
    for part in text.split(","):
        is_key = ":" not in part and ("=" in part or part == "paper")
        if is_key and names:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return tuple(names)


def simulate_parser():
    out = parser_for(
        "simulate",
        "[options] FILE...",
        "Replay traces through models of allocators, and tell what each needs.",
        ("mmt simulate gawk.mtr", "the twelve of the paper"),
        (
            "mmt simulate gawk.mtr --allocator sbt-ff,tlsf,abt-ffwc:balance=treap",
            "these three models",
        ),
        ("mmt simulate *.mtr --html report.html", "several traces, as a page"),
        ("mmt simulate --real glibc,jemalloc gawk.mtr", "real allocators beside the models"),
    )
    out.add_argument(
        "traces", nargs="+", metavar="FILE",
        help="What 'mmt trace' wrote, a file or a manifest; or a .rep or another text",
    )  # fmt: skip
    _add_what(out)
    _add_how(out)
    _add_reports(out)
    return out


def _add_what(out):
    add = out.add_argument
    add("--allocator", "--allocators", type=specs, metavar="MODEL,...",
        help="Models that 'mmt list models' gives [the paper's twelve, with rebalanced trees; its own: abt-ff:paper]")  # fmt: skip
    add("--real", type=names_in, default=(), metavar="NAME,...",
        help="Replay by these allocators themselves, too; names as for 'mmt bench'")  # fmt: skip
    add("--first", type=number(int, 0, 2**62), default=0, metavar="N",
        help="Begin at this event; frees of what was born before are left out [0]")  # fmt: skip
    add("--events", type=number(int, 1, 2**62), metavar="N", help="So many events [all]")
    add("--touches", action="store_true", help="Count cache lines and pages of metadata, too: slow")
    add("--no-bounds", action="store_true", help="Do not look for the best packing")


def _add_how(out):
    add = out.add_argument
    add("--check", action="store_true",
        help="Hold each model to its invariants at every event instead: very slow")  # fmt: skip
    memory_bound.add_to(out)
    add("--jobs", type=number(int, 1, 4096), metavar="N", help="Processes at a time [CPUs]")
    add("--scheduler", metavar="ADDRESS",
        help="Replay on the workers of this Dask scheduler, which see the same files")  # fmt: skip


def _add_reports(out):
    add = out.add_argument
    add("--json", metavar="FILE", help="Write all figures, schema 1 (-: standard output)")
    add("--csv", metavar="FILE", help="Write them as a table (-: standard output)")
    add("--parquet", metavar="FILE", help="Write the table as Parquet")
    add("--html", metavar="FILE", help="Write one page that loads nothing")
    add("-q", "--quiet", action="store_true", help="No progress bar")
