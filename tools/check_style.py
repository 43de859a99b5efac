#!/usr/bin/env python3
"""Checks what CONTRIBUTING.md asks of every source file and no compiler says.

File heads, `#pragma once`, length, `#if` only where the ABI or the OS is met, names that say
nothing. Sentences of comments that are too long, or do not say their subject. Takes another root as
argument, for its own test.
"""

import pathlib
import re
import sys

import comments

TREES = ("include", "src", "workloads", "tests", "fuzz", "tools", "lab", "cmake")
C_SUFFIXES = {".h", ".c", ".cc", ".cpp"}
OTHER_SUFFIXES = {".py", ".sh", ".cmake", ".in"}
HARD_LIMIT = 600
SOFT_LIMIT = 400
SENTENCE = 25  # words
# A sentence names its subject first, and a thread or a caller by what it is.
NO_SUBJECT = re.compile(r"^(Of|Who) ")
NAMELESS = re.compile(r"\b(by|for|from|of|to) who\b", re.IGNORECASE)
# These are the only places where the preprocessor decides. It decides on the compiler, the OS, the
# malloc ABI, the interface versions of obstack.h, and C and C++ in stm.h. It may decide on the
# architecture anywhere, for the assembly it has.
MAY_USE_IF = re.compile(r"^(include/mmt/core/compiler\.h|(include/mmt|src)/sys/|src/preload/|include/mmt/obstack\.h|include/mmt/stm\.h|tests/)")
CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif)\b")
ARCHITECTURE = re.compile(r"\b__(x86_64|aarch64)__\b")
SAYS_NOTHING = re.compile(r"(^|_)(util|utils|misc|helper|helpers|manager|new2|old)(_|$)")


def problems_of(root, name, text):
    path = pathlib.PurePosixPath(name)
    lines = text.splitlines()
    if len(lines) > HARD_LIMIT:
        yield 0, f"{len(lines)} lines; the limit is {HARD_LIMIT}"
    if SAYS_NOTHING.search(path.stem):
        yield 0, "a name that says nothing"
    if not re.fullmatch(r"[a-z0-9_.]+", path.name) and path.name != "CMakeLists.txt":
        if path.suffix not in {".cmake", ".in"}:
            yield 0, "file names are snake_case"
    for line, sentence in comments.sentences(name, text):
        if len(sentence.split()) > SENTENCE:
            yield line, f"a sentence of more than {SENTENCE} words: {sentence}"
        if begins := NO_SUBJECT.match(sentence):
            yield line, f"a sentence that begins with {begins[1]}: {sentence}"
        if nameless := NAMELESS.search(sentence):
            yield line, f'"{nameless[0]}" does not say what it is: {sentence}'
    if path.suffix in C_SUFFIXES:
        yield from problems_of_c(root, name, path, lines)


def has_head(root, name, path, lines):
    """A comment before the first line of code; an x.cpp may leave it to the x.h that it includes."""
    code = [line for line in lines if line.strip() and line != "#pragma once"]
    if code and code[0].startswith(("//", "/*")):
        return True
    if path.suffix == ".h":
        return False
    roots = [root / "src", root / "include", *(root / up for up in pathlib.Path(name).parents)]
    for quoted, public in re.findall(r'^#include (?:"(.*)"|<(mmt/.*)>)', "\n".join(lines), re.M):
        header = quoted or public
        if pathlib.PurePosixPath(header).stem == path.stem:
            return any((base / header).is_file() for base in roots)
    return False


def problems_of_c(root, name, path, lines):
    if not has_head(root, name, path, lines):
        yield 1, "no head comment that says the purpose"
    if path.suffix == ".h" and "#pragma once" not in lines:
        yield 1, "no #pragma once"
    if not MAY_USE_IF.match(name):
        for number, line in enumerate(lines, 1):
            if CONDITIONAL.match(line) and not ARCHITECTURE.search(line):
                yield number, "#if outside core/compiler.h, sys/ and preload/"


def is_read(path):
    if path.suffix in C_SUFFIXES | OTHER_SUFFIXES or path.name == "CMakeLists.txt":
        return path.is_file()
    return False


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    root = root.resolve()
    errors, checked, long_files = 0, 0, []
    for tree in TREES:
        for path in sorted((root / tree).rglob("*")):
            if not is_read(path):
                continue
            checked += 1
            name = path.relative_to(root).as_posix()
            text = path.read_text(encoding="utf-8")
            length = len(text.splitlines())
            if length > SOFT_LIMIT:
                long_files.append(f"{name} ({length})")
            for line, problem in problems_of(root, name, text):
                errors += 1
                print(f"{name}:{line}: {problem}" if line else f"{name}: {problem}", file=sys.stderr)
    if long_files:
        print(f"above the soft limit of {SOFT_LIMIT} lines: {', '.join(long_files)}")
    print(f"check_style: {checked} files, {errors} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
