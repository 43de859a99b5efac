#!/usr/bin/env python3
"""Tables that pages keep as a command of tools/ prints them.

    tools/kept_tables.py     writes them anew

A page has them between `<!-- kept: COMMAND -->` and `<!-- end of kept -->`. tests/docs/studies_test.py
fails where a page and its command differ.
"""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = re.compile(r"^(<!-- kept: (tools/\S+\.py [^\n]+) -->\n)(.*?)^(<!-- end of kept -->\n)", re.MULTILINE | re.DOTALL)


def printed(command):
    words = [sys.executable, "-B", *shlex.split(command)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def filled(page):
    """The page with its tables as their commands print them now."""
    return KEPT.sub(lambda found: f"{found[1]}\n{printed(found[2])}\n\n{found[4]}", page)


def keeping_pages():
    return [page for page in sorted((ROOT / "docs").rglob("*.md")) if KEPT.search(page.read_text(encoding="utf-8"))]


def main():
    for page in keeping_pages():
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
