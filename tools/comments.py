"""The prose in comments of sources, sentence by sentence.

Lines that are no prose end a paragraph and are left out: tables of names with what they mean
("name   meaning"), code and anything else that is indented but in a list, directives ("@timeout 5").
"""

import re

C_SUFFIXES = {".h", ".c", ".cc", ".cpp"}
INDENTED = re.compile(r"^\s{2,}\S")
TABLE_ROW = re.compile(r"^\S.*?\S {2,}\S|^\S {2,}\S")
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.) ")
CODE = re.compile(r"`[^`]*`")
END = re.compile(r"(?<=[.!?])[)\"']*\s+")


def _blocks(text, mark):
    """Pairs of the number of a comment's first line and its lines, without their marks."""
    whole = re.compile(rf"^\s*{mark}+ ?(.*)$")
    behind = re.compile(rf"\s{mark} (.*)$")
    block, first = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if comment := whole.match(line):
            first = first or number
            block.append(comment.group(1))
            continue
        if block:
            yield first, block
            block, first = [], 0
        if comment := behind.search(line):
            yield number, [comment.group(1)]


def _paragraphs(block):
    """Each on one line, its code taken out."""
    found, in_item = [""], False
    for line in block:
        if ITEM.match(line):
            in_item = True
            found.append(ITEM.sub("", line))
        elif not line.strip() or line.startswith(("@", "!")) or TABLE_ROW.search(line):
            in_item = False
            found.append("")
        elif INDENTED.match(line) and not in_item:
            found.append("")
        else:
            found[-1] = f"{found[-1]} {line.strip()}".strip()
    return [CODE.sub("CODE", paragraph) for paragraph in found if paragraph]


def sentences(suffix, text):
    """Pairs of the number of the line where a comment begins, and a sentence of it."""
    for first, block in _blocks(text, "//" if suffix in C_SUFFIXES else "#"):
        for paragraph in _paragraphs(block):
            for sentence in filter(None, END.split(paragraph)):
                yield first, sentence
