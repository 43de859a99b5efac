"""The journal of a study: what makes it resumable. One JSON object a line, each in the file before
the next run starts: first what the samples depend on, then each finished run. Specified in
docs/laboratory.md. The disk is not waited for: what a crash of the machine takes is measured again.
"""

import fcntl
import json

from ..command.failure import Failure

SCHEMA = 1
NAME = "journal.jsonl"


def has_records(folder):
    """Whether a study began there: more than the first line."""
    try:
        with open(folder / NAME, "rb") as file:
            return sum(1 for _ in file) > 1
    except OSError:
        return False


class Journal:
    def __init__(self, folder, identity, fresh):
        """Opens or begins the journal of a folder, which only one process uses at a time.

        `identity`: {what: value}; one that differs from the journal's is refused, because samples
        of two machines, commits or settings make no series. `fresh` throws away what is there.
        """
        self._path = folder / NAME
        self._file = open(self._path, "a+b")  # closed by close(), or the end of the process
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
        try:
            return [json.loads(line) for line in content[:whole].splitlines()]
        except ValueError:
            raise Failure(f"'{self._path}' is damaged; --fresh begins anew") from None

    def _check(self, header, identity):
        if header.get("kind") != "journal" or header.get("schema") != SCHEMA:
            raise Failure(f"'{self._path}' is no journal of this version; --fresh begins anew")
        former = header["identity"]
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
