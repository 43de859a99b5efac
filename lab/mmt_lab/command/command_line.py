"""What `mmt bench`, `mmt check`, `mmt study` and `mmt report` understand, and what the options of
all verbs of the laboratory are made of."""

import argparse
import os
import re
import sys

from ..machine.cpu_list import parse_cpu_list
from .did_you_mean import did_you_mean, with_help
from . import memory_bound
from .failure import USAGE, Failure
from ..measuring.schedule import LEAST_ROUNDS, WANTED_ROUNDS


class _Parser(argparse.ArgumentParser):
    """Errors as all verbs of mmt have them; both spellings of an option are taken, --paper_inputs
    and --paper-inputs."""

    def error(self, message):
        raise Failure(with_help(self._in_our_words(message), self.prog), USAGE)

    def parse(self, arguments):
        return self.parse_intermixed_args([_hyphenated(one) for one in arguments])

    def parse_known(self, arguments):
        """(options, what is unknown)."""
        return self.parse_known_args([_hyphenated(one) for one in arguments])

    def _in_our_words(self, message):
        message = message.removeprefix("argument ")
        if found := re.fullmatch(r"(?:-\w/)?([^\s/]+)(?:/\S+)?: expected .*argument.*", message):
            return f"{found[1]} needs a value"
        if found := re.match(r"(?:-\w/)?([^\s/]+)(?:/\S+)?: ignored explicit argument", message):
            return f"{found[1]} takes no value"
        if found := re.fullmatch(r"the following arguments are required: (.*)", message):
            return f"no {found[1]} given"
        message = message.replace("not allowed with argument ", "not allowed with ")
        if found := re.match(r"unrecognized arguments: (\S+)", message):
            name = found[1].split("=")[0]
            known = [one for action in self._actions for one in action.option_strings]
            if name in _ALLOCATORS:
                return f"unknown option '{name}'; {_instead(known)}"
            if name == "--html":
                return f"unknown option '{name}'; 'mmt report' makes a page of what --json keeps"
            kind = "option" if name.startswith("-") else "argument"
            return f"unknown {kind} '{name}'{did_you_mean(name, known)}"
        if found := re.fullmatch(r"(\S+): invalid choice: '(.*)' \(choose from (.*)\)", message):
            names = found[3].replace("'", "")
            hint = did_you_mean(found[2], names.split(", ")) or f"; there are {names}"
            return f"{found[1]}: there is no '{found[2]}'{hint}"
        return message


# What 'mmt run' has for the choice of an allocator, and what comparisons have in its place.
_ALLOCATORS = ("--heap", "--backend", "--protocol", "--allocator", "--allocators")


def _instead(known):
    if "--allocators" in known:
        return "did you mean '--allocators'?"
    return "'mmt bench --allocators' compares heaps"


def _hyphenated(word):
    if not word.startswith("--"):
        return word
    name, equals, value = word.partition("=")
    return name.replace("_", "-") + equals + value


def number(kind, low, high, unit=""):
    """`unit`: of which it is a number, for what refuses others."""

    def parse(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None and kind is int:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number")
        if value is None or not low <= value <= high:
            of = f" of {unit}" if unit else ""
            raise argparse.ArgumentTypeError(f"'{text}' is no number{of} from {low:.12g} to {high:.12g}")
        return value

    return parse


def _cpus(text):
    try:
        parse_cpu_list(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no list of CPUs") from None
    return text


def check_names(text):
    if not text:
        raise argparse.ArgumentTypeError("needs names")
    if "" in text.split(","):
        raise argparse.ArgumentTypeError(f"'{text}' has an empty name")


def names_in(text):
    check_names(text)
    return tuple(text.split(","))


class _Help(argparse.Action):
    """Becomes `mmt help VERB`, which shows the help of every verb in one manner (grammar.py)."""

    def __call__(self, parser, *_unused):
        binary = os.environ.get("MMT_LAB_BINARY")
        if not binary:
            raise Failure("the laboratory is started by 'mmt'", USAGE)
        sys.stdout.flush()
        os.execv(binary, [binary, "help", parser.prog.removeprefix("mmt ")])


def parser_for(verb, usage, description, *examples):
    """`usage` may have a line for each form; an example is (command, what it is for)."""
    out = _Parser(
        prog=f"mmt {verb}",
        usage="\n".join(f"mmt {verb} {form}" for form in usage.splitlines()),
        description=description,
        allow_abbrev=False,
        add_help=False,
    )
    out.examples = examples
    out.add_argument("-h", "--help", action=_Help, nargs=0, help="Print this help")
    return out


def study_parser():
    out = parser_for(
        "study",
        "[options] [NAME]",
        "Regenerate figures and tables of the papers on this machine, the papers' values beside. "
        "Without a name: list the studies.",
        ("mmt study heap-layers --only figure-1 --budget 10", "one figure, in ten minutes"),
        ("mmt study mmt --list", "what there is, and how long it takes"),
        ("mmt study stm --short", "a verdict for each of its relations, within an hour"),
    )
    out.add_argument("name", nargs="?", help="The study")
    add = out.add_argument
    add("--list", action="store_true", help="List its figures and tables, and how long each takes")
    add("--only", type=names_in, default=(), metavar="NAME,...", help="Only these of them")
    add("--traces", action="store_true", help="Make the traces that it replays, and no more")
    add("--oracles", action="store_true", help="Its exact values beside those expected, no more")
    add("--output", metavar="FOLDER", help="Journal and reports go there [study-NAME]")
    add(
        "--budget",
        type=number(float, 0.01, 1e5, "minutes"),
        metavar="MINUTES",
        help=f"As many rounds as fit; refused when {LEAST_ROUNDS} do not",
    )
    add(
        "--rounds",
        type=number(int, 1, 1000),
        metavar="N",
        help=f"Timed runs of each variant [the study's, else {WANTED_ROUNDS}]",
    )
    _add_seed_and_timeout(add)
    inputs = out.add_mutually_exclusive_group()
    inputs.add_argument(
        "--small", action="store_true", help="Small inputs: a trial, not to be compared"
    )
    inputs.add_argument(
        "--short",
        action="store_true",
        help="A verdict for each relation within an hour: five rounds of what it rests on",
    )
    inputs.add_argument(
        "--paper-inputs",
        action="store_true",
        help="The inputs that the paper names: longer, and some GiB of memory",
    )
    inputs.add_argument("--full", action="store_true", help="Those, and the paper's rounds")
    add("--fresh", action="store_true", help="Begin anew, whatever the folder holds")
    memory_bound.add_to(out)
    add("-q", "--quiet", action="store_true", help="No progress bar")
    return out


def bench_parser():
    out = parser_for(
        "bench",
        "[options] -- program [arguments]\n[options] SUITE...",
        "Compare allocators on programs of this machine.",
        ("mmt bench -- gawk -f script.awk", "MMT, glibc and the installed peers on one program"),
        (
            "mmt bench --allocators mmt,glibc,jemalloc --runs 11 -- sort file",
            "these three, in eleven rounds",
        ),
        ("mmt bench --demo", "a short selection of real programs"),
    )
    out.add_argument("suites", nargs="*", metavar="SUITE", help="Suites by name")
    _add_what_to_run(out)
    _add_allocators(out)
    _add_how(out)
    _add_reports(out)
    return out


def _add_what_to_run(out):
    add = out.add_argument
    add("--suite", action="append", default=[], metavar="FILE", help="Suites by file")
    add("--only", type=names_in, default=(), metavar="NAME,...", help="Only these programs of suites")
    add("--demo", action="store_true", help="A short selection of real programs")
    add("--list", action="store_true", help="List suites and their programs")
    memory_bound.add_to(out)


def _add_allocators(out):
    add = out.add_argument
    add(
        "--allocators",
        type=names_in,
        default=(),
        metavar="NAME,...",
        help="Names that 'mmt list' gives, BACKEND+PROTOCOL, mmt:OPTION=VALUE, NAME=/path/lib.so "
        "[mmt, glibc and the installed peers]",
    )
    add(
        "--peers",
        choices=("debian", "today"),
        default="debian",
        help="today: current versions, which are fetched and built once; this takes minutes",
    )
    add(
        "--peers-folder",
        metavar="FOLDER",
        help="Keep them there [$XDG_CACHE_HOME/mmt/peers, ~/.cache/mmt/peers]",
    )
    add("--backend", metavar="NAME", help="As 'mmt run --backend', beside that allocator alone")
    add("--protocol", metavar="NAME", help="As 'mmt run --protocol', beside its allocator alone")


def _add_seed_and_timeout(add):
    add(
        "--seed",
        type=number(int, 0, 2**64 - 1),
        default=1,
        metavar="N",
        help="Seed of the order of runs [1]",
    )
    add(
        "--timeout",
        type=number(float, 0.01, 1e6, "seconds"),
        default=600.0,
        metavar="SECONDS",
        help="Longest time of one run [600]",
    )


def _add_how(out):
    add = out.add_argument
    add(
        "--runs",
        type=number(int, 1, 1000),
        metavar="N",
        help="Counted runs of each pair [the suite's, else 7]",
    )
    add(
        "--warmup",
        type=number(int, 1, 1000),
        default=1,
        metavar="N",
        help="Uncounted runs of each pair before them; one at least, to see what is loaded [1]",
    )
    add("--prepare", default="", metavar="COMMAND", help="A shell's command, before every run")
    add(
        "-i",
        "--ignore-failure",
        action="store_true",
        help="Exit statuses that are not 0 are no failure",
    )
    add("--show-output", action="store_true", help="Show what the programs print")
    add(
        "--budget",
        type=number(float, 1.0, 1e6, "seconds"),
        metavar="SECONDS",
        help="Start no round but the first that would end later",
    )
    _add_seed_and_timeout(add)
    add("--pin", type=_cpus, default="", metavar="CPUS", help="Bind the program behind -- to these")
    add(
        "--latency",
        action="store_true",
        help="Time every call of malloc and free, in one more run of each pair and round",
    )


def _add_reports(out):
    add = out.add_argument
    add("--wide", action="store_true", help="All columns, however wide the terminal is")
    add("--json", metavar="FILE", help="Write a report, schema 1 (-: standard output)")
    add("--csv", metavar="FILE", help="Write every sample (-: standard output)")
    add("--markdown", metavar="FILE", help="Write the table and the answer as Markdown")
    add("-q", "--quiet", action="store_true", help="No progress bar")


def report_parser():
    out = parser_for(
        "report",
        "[options] FOLDER|FILE...",
        "Join results of 'mmt bench' and 'mmt study' into one page that loads nothing.",
        (
            "mmt report results.json study-mmt --output report.html",
            "a comparison and a study in one page",
        ),
    )
    out.add_argument(
        "results",
        nargs="+",
        metavar="FOLDER|FILE",
        help="A file of 'mmt bench --json', a study's folder, or a folder of such",
    )
    out.add_argument(
        "--output", metavar="FILE", default="report.html", help="The page [report.html]"
    )
    memory_bound.add_to(out)
    return out


def check_parser(runs, budget):
    """`runs` and `budget` are what is taken when neither is given."""
    out = parser_for(
        "check",
        "[options] -- program [arguments]",
        "Run a program plainly and under MMT: does it gain, in which mode, and why? It runs up to "
        "50 times: take one that ends and may be repeated.",
        ("mmt check --input words.txt -- sort -u", "whether sorting these words gains"),
    )
    add = out.add_argument
    add("words", nargs="*", help=argparse.SUPPRESS)
    add("--budget", type=number(float, 0.1, 1e6, "seconds"), metavar="SECONDS",
        help=f"As many runs as fit [{budget:g}]")  # fmt: skip
    add("--runs", type=number(int, 1, 1000), metavar="N",
        help=f"Runs of each mode, at most [{runs}]; all of them without --budget")  # fmt: skip
    add("--timeout", type=number(float, 0.01, 1e6, "seconds"), metavar="SECONDS",
        help="Longest time of one run [half the budget]")  # fmt: skip
    add("--input", metavar="FILE", help="Its standard input [the file redirected here, else /dev/null]")
    add("-i", "--ignore-failure", action="store_true", help="Any exit status of it will do")
    add("--json", metavar="FILE", help="The answer as JSON, too; -: to stdout, instead")
    add("--seed", type=number(int, 0, 2**64 - 1), default=1, metavar="N",
        help="Seed of the order of runs [1]")  # fmt: skip
    add("-q", "--quiet", action="store_true", help="No progress bar")
    return out


