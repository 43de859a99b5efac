"""The traces that were named: files, each a process's, and manifests of several."""

import dataclasses
import json
import os

from ..command.failure import Failure

MANIFEST_VERSION = 1


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
        for path, error in _of_manifest(one):
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
    itself = [(path, "")]
    try:
        with open(path, "rb") as file:
            if file.read(1) != b"{":
                return itself
            told = json.loads(b"{" + file.read())
        version = told["mmt_trace_processes"]
        if version != MANIFEST_VERSION:
            raise Failure(f"'{path}' is a list of traces of the unknown version {json.dumps(version)}")
        folder = os.path.dirname(os.path.abspath(path))
        listed = [(_file_of(one), "") for one in told["processes"]]
        listed += [(_file_of(one), one.get("error") or "no reason is told") for one in told.get("failed", ())]
        return [(os.path.join(folder, file), error) for file, error in listed]
    except (ValueError, KeyError, TypeError, AttributeError):
        return itself
    except OSError as error:
        raise Failure(f"cannot read '{path}': {error.strerror}") from None


def _file_of(entry):
    """Its bytes are told apart where they are no UTF-8."""
    digits = entry.get("file_bytes")
    return entry["file"] if digits is None else os.fsdecode(bytes.fromhex(digits))


def _names(paths):
    """Without folders and endings, as far as they are told apart without."""
    bare = [os.path.splitext(os.path.basename(one))[0] for one in paths]
    return [
        name if bare.count(name) == 1 else path for name, path in zip(bare, paths, strict=True)
    ]
