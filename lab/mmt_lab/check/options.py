"""What `mmt check` understands."""

import os
import pathlib
import shlex

from ..command import standard_input
from ..command.command_line import check_parser
from ..command.failure import USAGE, Failure
from ..text.output_file import refuse_inputs

BUDGET = 60.0
RUNS = 15


def parse(arguments):
    """(options, command) of the words behind the verb. A Failure when they are wrong."""
    marker = arguments.index("--") if "--" in arguments else len(arguments)
    parser = check_parser(RUNS, BUDGET)
    options, unknown = parser.parse_known(arguments[:marker])
    command = arguments[marker + 1 :]
    wrong = next((one for one in arguments[:marker] if one in (*options.words, *unknown)), None)
    if wrong is not None and wrong.startswith("-"):
        parser.error(f"unrecognized arguments: {wrong}")
    if wrong is not None:
        meant = shlex.join(arguments[arguments.index(wrong) : marker] + command)
        raise Failure(f"put the program behind --: mmt check -- {meant}", USAGE)
    if not command:
        raise Failure("no program given: mmt check [options] -- program [arguments]", USAGE)
    if options.input is not None and not pathlib.Path(options.input).exists():
        raise Failure(f"--input: there is no file '{options.input}'", USAGE)
    if options.input is not None and pathlib.Path(options.input).is_dir():
        raise Failure(f"--input: '{options.input}' is a folder", USAGE)
    if options.input is None:
        options.input = standard_input.source("give each a file by --input")
    if options.input != os.devnull:
        refuse_inputs([options.json], [options.input])
    if options.budget is None and options.runs is None:
        options.budget = BUDGET
    if options.timeout is None:
        options.timeout = (options.budget or 2 * 600.0) / 2
    options.runs = options.runs or RUNS
    return options, command
