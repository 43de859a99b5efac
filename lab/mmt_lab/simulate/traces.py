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
    """([Trace], each once, [(path, what is wrong)] of files that are not there). A Failure where none is."""
    paths, missing = [], {}
    for one in arguments:
        if text := _missing(one):
            missing[one] = text
            continue
        one = _as_others_see(one)
        for path in _of_manifest(one) or [one]:
            if text := _missing(path):
                missing[path] = text
            else:
                paths.append(path)
    paths = list(dict.fromkeys(os.path.abspath(one) for one in paths))
    if not paths:
        raise Failure("; ".join(missing.values()))
    found = [Trace(name, path) for name, path in zip(_names(paths), paths, strict=True)]
    return found, list(missing.items())


def _missing(path):
    if not os.path.exists(path):
        return f"there is no trace '{path}'"
    return "" if os.path.isfile(path) else f"'{path}' is no regular file, as a trace must be"


def _as_others_see(path):
    """/dev/stdin is another file in each process."""
    absolute = os.path.abspath(path)
    return os.path.realpath(path) if absolute.startswith(("/dev/", "/proc/")) else path


def _of_manifest(path):
    """The files that it names; none where it is no manifest."""
    try:
        with open(path, "rb") as file:
            if file.read(1) != b"{":
                return []
            told = json.loads(b"{" + file.read())
        version = told["mmt_trace_processes"]
        if version != MANIFEST_VERSION:
            raise Failure(f"'{path}' is a list of traces of the unknown version {json.dumps(version)}")
        folder = os.path.dirname(os.path.abspath(path))
        return [os.path.join(folder, one["file"]) for one in told["processes"]]
    except (ValueError, KeyError, TypeError):
        return []
    except OSError as error:
        raise Failure(f"cannot read '{path}': {error.strerror}") from None


def _names(paths):
    """Without folders and endings, as far as they are told apart without."""
    bare = [os.path.splitext(os.path.basename(one))[0] for one in paths]
    return [
        name if bare.count(name) == 1 else path for name, path in zip(bare, paths, strict=True)
    ]
