"""Which version an allocator is of: as its library says itself, else that of its package."""

import os
import subprocess


def of(contender, proofs):
    """Empty where nothing tells. After the proof that it is loaded."""
    said = proofs.version(contender.allocator).rpartition(" ")[2]
    return contender.version or said or _packaged(contender.path)


def _packaged(path):
    """That of the Debian package which a file is of, without Debian's own revision."""
    for one in dict.fromkeys((path, os.path.realpath(path))) if path else ():
        if package := _first_word("--search", one).rstrip(":"):
            shown = _first_word("--show", "-f", "${Version} ", package)
            return shown.rpartition("-")[0] or shown
    return ""


def _first_word(*arguments):
    try:
        done = subprocess.run(
            ["dpkg-query", *arguments], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    words = done.stdout.split() if done.returncode == 0 else []
    return words[0] if words else ""
