"""What `mmt check`, `mmt study` and `mmt report` understand."""

import argparse

from .failure import USAGE, Failure
from .schedule import LEAST_ROUNDS, WANTED_ROUNDS


class _Parser(argparse.ArgumentParser):
    """Errors as all verbs of mmt have them."""

    def error(self, message):
        raise Failure(f"{message}; see '{self.prog} --help'", USAGE)


def _formatter(prog):
    return argparse.HelpFormatter(prog, max_help_position=34, width=100)


def _number(kind, low, high):
    def parse(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"'{text}' is no number from {low} to {high}")
        return value

    return parse


def _names(text):
    names = tuple(one for one in text.split(",") if one)
    if not names:
        raise argparse.ArgumentTypeError("needs names")
    return names


def _parser(verb, description):
    return _Parser(
        prog=f"mmt {verb}",
        description=description,
        formatter_class=_formatter,
        allow_abbrev=False,
        add_help=False,
    )


def _add_help(parser):
    parser.add_argument("-h", "--help", action="help", help="Print this help message and exit")


def study_parser():
    out = _parser(
        "study",
        "Regenerates figures and tables of the papers on this machine, the papers' values beside. "
        "Without a name: lists the studies.",
    )
    out.add_argument("name", nargs="?", help="The study")
    add = out.add_argument
    add("--list", action="store_true", help="List the figures and tables of the study")
    add("--only", type=_names, default=(), metavar="NAME,...", help="Only these of them")
    add("--output", metavar="FOLDER", help="Journal and reports go there [study-NAME]")
    add(
        "--budget",
        type=_number(float, 0.01, 1e5),
        metavar="MINUTES",
        help=f"As many rounds as fit, but at least {LEAST_ROUNDS}",
    )
    add(
        "--rounds",
        type=_number(int, 1, 1000),
        metavar="N",
        help=f"Timed runs of each variant [{WANTED_ROUNDS}]",
    )
    add(
        "--seed",
        type=_number(int, 0, 2**64 - 1),
        default=1,
        metavar="N",
        help="Seed of the order of runs [1]",
    )
    add(
        "--timeout",
        type=_number(float, 0.01, 1e6),
        default=600.0,
        metavar="SECONDS",
        help="Longest time of one run [600]",
    )
    inputs = out.add_mutually_exclusive_group()
    inputs.add_argument(
        "--small", action="store_true", help="Small inputs: a trial, not to be compared"
    )
    inputs.add_argument(
        "--paper-inputs",
        action="store_true",
        help="The inputs that the paper names: longer, and some GiB of memory",
    )
    add("--fresh", action="store_true", help="Begin anew, whatever the folder holds")
    add("--quiet", action="store_true", help="No progress bar")
    _add_help(out)
    return out


def report_parser():
    out = _parser(
        "report", "Joins results of 'mmt bench' and 'mmt study' into one page that loads nothing."
    )
    out.add_argument(
        "results",
        nargs="+",
        metavar="DIR",
        help="A study's folder, one that holds such folders or files of 'mmt bench --json', or a "
        "file",
    )
    out.add_argument(
        "--output", metavar="FILE", default="report.html", help="The page [report.html]"
    )
    _add_help(out)
    return out


def check_parser(runs, budget):
    """`runs` and `budget` are what is taken when neither is given."""
    out = _parser(
        "check",
        "Runs a program plainly and under MMT: does it gain, in which mode, and why?",
    )
    out.usage = "mmt check [options] -- program [arguments]"
    out.formatter_class = _example_formatter
    out.epilog = (
        "Example: does sorting these words gain?\n"
        "  mmt check --input words.txt -- sort -u\n\n"
        "The program runs up to 50 times: take one that ends and may be repeated."
    )
    add = out.add_argument
    add("words", nargs="*", help=argparse.SUPPRESS)
    add("--budget", type=_number(float, 0.1, 1e6), metavar="SECONDS",
        help=f"As many runs as fit [{budget:g}]")  # fmt: skip
    add("--runs", type=_number(int, 1, 1000), metavar="N",
        help=f"Runs of each mode, at most [{runs}]; all of them without --budget")  # fmt: skip
    add("--timeout", type=_number(float, 0.01, 1e6), metavar="SECONDS",
        help="Longest time of one run [half the budget]")  # fmt: skip
    add("--input", metavar="FILE", help="Its standard input [/dev/null]")
    add("--ignore-failure", action="store_true", help="Any exit status of it will do")
    add("--json", metavar="FILE", help="The answer as JSON, too; -: to stdout, instead")
    add("--seed", type=_number(int, 0, 2**64 - 1), default=1, metavar="N",
        help="Seed of the order of runs [1]")  # fmt: skip
    add("--quiet", "-q", action="store_true", help="No progress bar")
    _add_help(out)
    return out


def _example_formatter(prog):
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=26, width=80)
