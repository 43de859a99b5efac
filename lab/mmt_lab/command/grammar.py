"""What can be typed behind a verb of the laboratory, as JSON: `mmt VERB --grammar [WORD...]`.

The command makes help, completions and its manual page of it (src/cli/command_line/laboratory_grammar.h,
docs/laboratory.md). The words are those that have been typed: which values an option has may depend
on them.
"""

import argparse
import contextlib
import json
import os
import pathlib

from . import command_line
from ..bench import suites
from ..check.options import BUDGET, RUNS
from ..simulate.options import simulate_parser
from .failure import Failure

SCHEMA = 1
PARSERS = {
    "bench": command_line.bench_parser,
    "check": lambda: command_line.check_parser(RUNS, BUDGET),
    "report": command_line.report_parser,
    "simulate": simulate_parser,
    "study": command_line.study_parser,
}
# Whose values the command itself finds.
KINDS = {
    "allocators": "allocators", "backend": "backends", "protocol": "protocols",
    "allocator": "models", "real": "allocators",
}  # fmt: skip
FILES = {"FILE", "FOLDER", "FOLDER|FILE"}


def grammar(verb, words):
    """The grammar of a verb in PARSERS, as text."""
    parser = PARSERS[verb]()
    values = _values(verb, words)
    shown = [one for one in parser._actions if one.help != argparse.SUPPRESS]
    return json.dumps(
        {
            "schema": SCHEMA,
            "usage": parser.usage,
            "help": parser.description.rstrip("."),
            "positionals": [_operand(one, values) for one in shown if not one.option_strings],
            "options": [_option(one, values) for one in shown if one.option_strings],
            "examples": [list(one) for one in parser.examples],
        }
    )


def _common(action, values):
    return {
        "help": action.help,
        "values": list(action.choices or values.get(action.dest, ())),
        "complete": "files" if action.metavar in FILES else KINDS.get(action.dest),
    }


def _operand(action, values):
    return {"name": action.metavar or action.dest.upper(), **_common(action, values)}


def _option(action, values):
    takes_value = action.nargs != 0
    value = action.metavar or "|".join(action.choices or ()) or action.dest.upper()
    return {
        "names": sorted(action.option_strings, key=len),
        "value": value if takes_value else None,
        "list": takes_value and value.endswith(",..."),
        **_common(action, values),
    }


def _values(verb, words):
    """{name of an option or operand: its values}; empty where they cannot be known."""
    with contextlib.suppress(Failure, ImportError):
        if verb == "bench":
            return _suites(words)
        if verb == "study":
            return _studies(words)
    return {}


def _suites(words):
    folder = os.environ.get("MMT_LAB_SUITES", "")
    names = suites.names(folder)
    chosen = [name for name in names if name in words] or names
    programs = [
        program.name
        for name in chosen
        for program in suites.load(str(pathlib.Path(folder) / f"{name}.json"), "")
    ]
    return {"suites": names, "only": list(dict.fromkeys(programs))}


def _studies(words):
    from .. import studies  # needs the packages of the laboratory

    chosen = [one for one in studies.ALL if one.name in words] or studies.ALL
    return {
        "name": [one.name for one in studies.ALL],
        "only": [one.name for study in chosen for one in study.experiments],
    }
