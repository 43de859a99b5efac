#!/usr/bin/env python3
"""Tables that pages do not keep: a line `<!-- table: COMMAND -->` is replaced by what the command
prints, `mmt ...` (MMT_SITE_PROGRAM, or build/release/bin/mmt) or a script of tools/.

    tools/site/tables.py PAGE...      fills pages in place, as they are installed

In the repository the command stands above, for those who read the page there.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# With the line above that may show its command.
TABLE = re.compile(r"^(?:    (.+)\n\n)?<!-- table: (.+) -->$", re.MULTILINE)


class NoTable(Exception):
    """What keeps a table from being made."""


def filled(markdown):
    """Raises NoTable."""
    return TABLE.sub(_replaced, markdown)


def _replaced(found):
    shown, command = found[1], found[2]
    before = f"    {shown}\n\n" if shown and shown != command else ""
    return before + _printed(command)


def _printed(command):
    words = shlex.split(command)
    if words[0] == "mmt":
        words[0] = os.environ.get("MMT_SITE_PROGRAM", str(ROOT / "build/release/bin/mmt"))
    elif words[0].startswith("tools/") and words[0].endswith(".py"):
        words = [sys.executable, "-B", *words]
    else:
        raise NoTable(f"no command for a table: {command}")
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NoTable(f"cannot run '{command}': {error.strerror}") from error
    if done.returncode != 0:
        raise NoTable(f"'{command}' failed: {done.stderr.strip()}")
    return done.stdout


def main(paths):
    for path in map(pathlib.Path, paths):
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (NoTable, OSError) as failure:
        sys.exit(f"tables: {failure}")
