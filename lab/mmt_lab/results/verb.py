"""`mmt report`: joins results of `mmt bench` and `mmt study` into one page."""

import os
import pathlib

from ..command import memory_bound, requirements
from ..text import whole_file
from ..command.command_line import report_parser
from ..command.failure import USAGE, Failure, raise_on_signals
from ..command.standard_output import say


def main(arguments):
    """The exit status, 0. Whatever cannot be used is a Failure, and no page is written then."""
    options = report_parser().parse(arguments)
    requirements.check()
    from . import result_files  # only now: they need the packages
    from ..reporters import joined_page

    raise_on_signals()
    with memory_bound.bounded(memory_bound.of(options)):
        found = result_files.find(options.results)
        target = pathlib.Path(os.path.abspath(options.output))
        _refuse_to_destroy(target, found)
        page = rendered(joined_page, found)
    try:
        is_file = whole_file.write(target, page)
    except OSError as error:
        raise Failure(f"cannot write '{target}': {error.strerror}") from None
    if is_file:
        count = f"{len(found)} result{'' if len(found) == 1 else 's'}"
        say(f"report of {count}: {target}")
    return 0


def rendered(joined_page, found):
    """A Failure names the first file whose values contradict each other in a way that nobody foresaw."""
    try:
        return joined_page.render(found)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        for one in found:
            try:
                joined_page.render([one])
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                raise Failure(f"'{one.path}' is damaged: its values contradict each other") from None
        raise


def _refuse_to_destroy(target, found):
    """A result is replaced by nothing, nor is what a study has written beside it."""
    from ..reporters.study_reports import FILES

    whole = os.path.realpath(target)
    for one in found:
        source = os.path.realpath(one.path)
        folder, name = os.path.split(whole)
        is_studys = one.result.kind == "study" and folder == os.path.dirname(source)
        if whole == source or (is_studys and name in FILES):
            raise Failure(f"--output: '{target}' is part of a result; name another file", USAGE)
