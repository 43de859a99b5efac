"""Suite files: the programs that `mmt bench` runs (docs/bench.md, "Suites")."""

import os
import pathlib
import re

from ..machine.cpu_list import parse_cpu_list
from ..command import memory_bound
from ..command.did_you_mean import did_you_mean
from ..text import json_input
from ..study.experiment import Program
from ..command.failure import FAILED, USAGE, Failure

DEFAULT_RUNS = 7
_MOST_BYTES = 16 << 20
_BELOW = re.compile(r"\{suite\}(/\S+)")


class _Wrong(Exception):
    """Says what is wrong in a suite."""


def names(folder):
    """The names of the suites there are, sorted."""
    return sorted(one.stem for one in pathlib.Path(folder).glob("*.json"))


def find(name, folder):
    """The file of a suite; a Failure names those there are."""
    known = names(folder)
    if name in known:
        return str(pathlib.Path(folder) / f"{name}.json")
    there = f"; there are {', '.join(known)}." if known else "; there are none."
    if name == "list":
        raise Failure("there is no suite 'list'; did you mean '--list'?", USAGE)
    raise Failure(
        f"there is no suite '{name}'{did_you_mean(name, known) or there} To measure a program, put "
        f"it behind --: mmt bench -- {name}",
        USAGE,
    )


def load(path, workloads):
    """[Program] of a suite file. A Failure names the file and what is wrong in it."""
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise Failure(f"cannot read the suite '{path}': {error.strerror}") from None
    if len(content) > _MOST_BYTES:
        raise Failure(f"cannot read the suite '{path}': it has more than 16 MiB")
    return parse(content, path, workloads)


def parse(content, path, workloads):
    memory_bound.now_reading(path)
    try:
        data = json_input.parse(content)
    except json_input.NotJson as wrong:
        raise Failure(f"the suite '{path}' {wrong}") from None
    try:
        return _programs(data, {"{workloads}": workloads, "{suite}": _folder_of(path)})
    except _Wrong as wrong:
        raise Failure(f"the suite '{path}' cannot be used: {wrong}", FAILED) from None


def _folder_of(path):
    return os.path.dirname(os.path.realpath(path))


def _programs(data, placeholders):
    if not isinstance(data, dict):
        raise _Wrong("it is no object")
    if data.get("schema") != 1:
        raise _Wrong("its schema is not 1")
    name = _text(data.get("name"), "its name")
    programs = data.get("programs")
    if not isinstance(programs, list):
        raise _Wrong("it has no list of programs")
    return [_program(name, one, placeholders) for one in programs]


def _program(suite, data, placeholders):
    if not isinstance(data, dict):
        raise _Wrong("a program is no object")
    name = _text(data.get("name"), "the name of a program")
    values = {"runs": DEFAULT_RUNS}
    for key, value in data.items():
        if key in ("name", "comment"):
            continue
        if key not in _KEYS:
            raise _Wrong(f"program '{name}': unknown key '{key}'")
        values[key] = _KEYS[key](value, f"program '{name}': {key}", placeholders)
    if not values.get("command"):
        raise _Wrong(f"program '{name}' has no command")
    return Program(
        name=name,
        suite=suite,
        command=values["command"],
        rounds=values["runs"],
        pin=values.get("pin", ""),
        shown=values.get("metrics", ()),
        environment=values.get("env", ()),
        input=values.get("input", "/dev/null"),
        package=values.get("package", ""),
        same_output=values.get("same_output", False),
    )


def _text(value, what, _=None):
    if not isinstance(value, str):
        raise _Wrong(f"{what} is no text")
    return value


def _filled(value, what, placeholders):
    text = _text(value, what)
    # The paths below it, without "..": they are shown.
    folder = placeholders.get("{suite}", "")
    text = _BELOW.sub(lambda found: os.path.normpath(f"{folder}{found[1]}"), text)
    for placeholder, meaning in placeholders.items():
        text = text.replace(placeholder, str(meaning))
    return text


def _words(value, what, placeholders):
    if not isinstance(value, list):
        raise _Wrong(f"{what} is no list")
    return tuple(_filled(one, what, placeholders) for one in value)


def _runs(value, what, _):
    if type(value) is not int:
        raise _Wrong(f"{what} is no whole number")
    if value < 1:
        raise _Wrong(f"{what} is below 1")
    return value


def _cpus(value, what, _):
    try:
        parse_cpu_list(_text(value, what))
    except ValueError:
        raise _Wrong(f"{what}: '{value}' is no list of CPUs") from None
    return value


def _variables(value, what, placeholders):
    if not isinstance(value, dict):
        raise _Wrong(f"{what} is no object")
    return tuple((name, _filled(one, what, placeholders)) for name, one in value.items())


def _yes_or_no(value, what, _):
    if not isinstance(value, bool):
        raise _Wrong(f"{what} is neither true nor false")
    return value


_KEYS = {
    "command": _words,
    "runs": _runs,
    "pin": _cpus,
    "metrics": lambda value, what, _: _words(value, what, {}),
    "env": _variables,
    "input": _filled,
    "package": _text,
    "same_output": _yes_or_no,
}
