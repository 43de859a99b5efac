"""The traces that were named: files, each a process's, and manifests of several."""

import dataclasses
import json
import os

from ..command import memory_bound
from ..command.failure import Failure
from ..text import json_input

MANIFEST_VERSION = 1
_LONGEST = 64 << 20  # manifest, in bytes


@dataclasses.dataclass(frozen=True)
class Trace:
    name: str  # told apart from the others
    path: str


def find(arguments):
    """([Trace], each once, [(path, what is wrong)] of files that are not there, or not whole by their
    list). A Failure where none is there."""
    paths, faults = [], {}
    for one in arguments:
        if text := _missing(one):
            faults[one] = text
            continue
        one = _as_others_see(one)
        try:
            listed = _of_manifest(one)
        except Failure as failure:
            faults[one] = str(failure)
            continue
        for path, error in listed:
            is_there = not (text := _missing(path))
            if is_there:
                paths.append(path)
            if error:
                text = f"trace '{path}' was not written whole: {error}"
            if text:
                faults[path] = text
    paths = list(dict.fromkeys(os.path.abspath(one) for one in paths))
    if not paths:
        raise Failure("; ".join(faults.values()) or "no trace is listed")
    found = [Trace(name, path) for name, path in zip(_names(paths), paths, strict=True)]
    return found, list(faults.items())


def _missing(path):
    if not os.path.exists(path):
        return f"there is no trace '{path}'"
    return "" if os.path.isfile(path) else f"'{path}' is no regular file, as a trace must be"


def _as_others_see(path):
    """/dev/stdin is another file in each process."""
    absolute = os.path.abspath(path)
    return os.path.realpath(path) if absolute.startswith(("/dev/", "/proc/")) else path


def _of_manifest(path):
    """[(file that it names, why that is not whole)]; itself where it is no manifest."""
    memory_bound.now_reading(path)
    try:
        with open(path, "rb") as file:
            if file.read(1) != b"{":
                return [(path, "")]
            content = b"{" + file.read(_LONGEST)
    except OSError as error:
        raise Failure(f"cannot read '{path}': {error.strerror}") from None
    if len(content) > _LONGEST:
        raise Failure(f"'{path}' has more than 64 MiB, as no list of traces")
    try:
        told = json_input.parse(content)
    except json_input.NotJson as wrong:
        raise Failure(f"'{path}' {wrong}") from None
    version = told.get("mmt_trace_processes")
    if version is None:
        raise Failure(f"'{path}' is no list of traces: it has no 'mmt_trace_processes'")
    if type(version) is not int or version != MANIFEST_VERSION:
        raise Failure(f"'{path}' is a list of traces of the unknown version {json.dumps(version)[:40]}")
    return [*_listed(path, told, "processes"), *_listed(path, told, "failed")]


def _listed(path, told, kind):
    some = told.get(kind, [] if kind == "failed" else None)
    if not isinstance(some, list):
        raise Failure(f"'{path}' is no list of traces: it has no list '{kind}'")
    for number, one in enumerate(some):
        where = f"'{path}', {kind}[{number}]"
        if not isinstance(one, dict):
            raise Failure(f"{where}: it is no object")
        error = _text(one, "error", where) or "no reason is told" if kind == "failed" else ""
        yield _in_folder(path, _file_of(one, where), where), error


def _text(entry, key, where, must=False):
    text = entry.get(key, None if must else "")
    if key not in entry and must:
        raise Failure(f"{where}: it has no '{key}'")
    if not isinstance(text, str):
        raise Failure(f"{where}: its '{key}' is no text")
    return text


def _file_of(entry, where):
    """Its bytes are told apart where they are no UTF-8."""
    readable, digits = _text(entry, "file", where, must=True), _text(entry, "file_bytes", where)
    try:
        return os.fsdecode(bytes.fromhex(digits)) if digits else readable
    except ValueError:
        raise Failure(f"{where}: its 'file_bytes' are no bytes") from None


def _in_folder(path, name, where):
    """A list that came from elsewhere names no other files of this machine."""
    folder = os.path.dirname(os.path.abspath(path))
    whole, root = os.path.join(folder, name), os.path.realpath(folder)
    is_name = name and "\0" not in name and not os.path.isabs(name) and ".." not in name.split("/")
    if not is_name or os.path.commonpath([root, os.path.realpath(whole)]) != root:
        raise Failure(f"{where}: its file '{name}' is none of the list's folder")
    return whole


def _names(paths):
    """Without folders and endings, as far as they are told apart without."""
    bare = [os.path.splitext(os.path.basename(one))[0] for one in paths]
    return [
        name if bare.count(name) == 1 else path for name, path in zip(bare, paths, strict=True)
    ]
