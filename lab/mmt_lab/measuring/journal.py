"""The journal of a study: what makes it resumable. One JSON object a line, each in the file before
the next run starts: first what the samples depend on, then each finished run. Specified in
docs/laboratory.md. The disk is not waited for: what a crash of the machine takes is measured again.
"""

import fcntl
import json

from ..command import memory_bound
from ..command.failure import Failure
from ..text import json_input, output_path

SCHEMA = 1
NAME = "journal.jsonl"
_LONGEST_LINE = 1 << 24
_LARGEST = 1e150  # number


def has_records(folder):
    """Whether a study began there: more than the first line."""
    try:
        if not (folder / NAME).is_file():  # a pipe would be waited for
            return False
        with open(folder / NAME, "rb") as file:
            return bool(file.readline(_LONGEST_LINE) and file.read(1))
    except OSError:
        return False


def _is_record(one):
    if not isinstance(one, dict):
        return False
    if "remark" in one:
        return isinstance(one["remark"], str)
    metrics, place = one.get("metrics"), one.get("round", "missing")
    return (
        isinstance(one.get("run"), str)
        and (place is None or type(place) is int)
        and isinstance(metrics, dict)
        and all(type(value) in (int, float) and abs(value) <= _LARGEST for value in metrics.values())
    )


class Journal:
    def __init__(self, folder, identity, fresh):
        """Opens or begins the journal of a folder, which only one process uses at a time.

        `identity`: {what: value}; one that differs from the journal's is refused, because samples
        of two machines, commits or settings make no series. `fresh` throws away what is there.
        """
        self._path = folder / NAME
        if self._path.exists() and not self._path.is_file():
            raise Failure(f"'{self._path}' is no regular file, as a journal must be")
        memory_bound.now_reading(self._path)
        try:
            descriptor = output_path.open_to_append(self._path)
        except OSError as error:
            raise Failure(f"cannot write '{self._path}': {error.strerror}") from None
        self._file = open(descriptor, "a+b")  # closed by close(), or the end of the process
        try:
            self._lock(folder)
            if fresh:
                self._file.truncate(0)
            lines = self._whole_lines()
            if lines:
                self._check(lines[0], identity)
            else:
                self._write({"schema": SCHEMA, "kind": "journal", "identity": identity})
        except Failure:
            self._file.close()
            raise
        self.records = lines[1:]

    def append(self, run_key, round_index, metrics):
        self._write({"run": run_key, "round": round_index, "metrics": metrics})

    def remark(self, text):
        """Something that whoever reads the samples must know."""
        self._write({"remark": text})

    def close(self):
        self._file.close()

    def _lock(self, folder):
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f"another study is using the folder '{folder}'") from None

    def _write(self, record):
        self._file.write(json.dumps(record).encode() + b"\n")
        self._file.flush()

    def _whole_lines(self):
        """All records; a last line that was cut off by the end of the process is removed."""
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        if whole != len(content):
            self._file.truncate(whole)
        lines = []
        for number, line in enumerate(content[:whole].splitlines(), 1):
            try:
                lines.append(json_input.parse(line))
            except json_input.NotJson:
                raise self._damaged(number) from None
            if number > 1 and not _is_record(lines[-1]):
                raise self._damaged(number)
        return lines

    def _damaged(self, number):
        return Failure(f"'{self._path}' is damaged in line {number}; --fresh begins anew")

    def _check(self, header, identity):
        is_header = isinstance(header, dict) and header.get("kind") == "journal"
        if not is_header or header.get("schema") != SCHEMA:
            raise Failure(f"'{self._path}' is no journal of this version; --fresh begins anew")
        former = header.get("identity")
        if not isinstance(former, dict):
            raise self._damaged(1)
        now = json.loads(json.dumps(identity))
        changed = [
            f"{name} (was {former.get(name, 'not there')}, is {now.get(name, 'not there')})"
            for name in sorted(former.keys() | now.keys())
            if former.get(name) != now.get(name)
        ]
        if changed:
            more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
            raise Failure(
                f"cannot go on with '{self._path}', which began with another "
                f"{', '.join(changed[:3])}{more}; --fresh begins anew, --output takes another"
            )
