"""The prose in comments of sources and in docstrings of Python, sentence by sentence.

Lines that are no prose end a paragraph and are left out: tables of names with what they mean
("name   meaning"), code and anything else that is indented but in a list, directives ("@timeout 5").
"""

import ast
import pathlib
import re

C_SUFFIXES = {".h", ".c", ".cc", ".cpp"}
# What may look like a comment's beginning comes first. The group is a comment between /* and */.
C_TOKEN = re.compile(
    r'R"(?P<raw>\w*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|'
    r"'(?:\\.|[^'\\\n])'|//[^\n]*|/\*(?P<inside>.*?)\*/",
    re.DOTALL,
)
STARRED = re.compile(r"^\s*\*+ ?")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
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


def _blocks_between_marks(text):
    """The same of comments between /* and */."""
    for token in C_TOKEN.finditer(text):
        if token["inside"] is not None:
            first = text.count("\n", 0, token.start())
            before = token.start() - text.rfind("\n", 0, token.start()) - 1
            lines = [STARRED.sub("", line) for line in token["inside"].splitlines()]
            indent = before + len("/* ")
            yield first + 1, [line[indent:] if line[:indent].isspace() else line for line in lines]


def _docstrings(text):
    """The same of docstrings."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and (docstring := ast.get_docstring(node)):
            yield node.body[0].lineno, docstring.splitlines()


def _all_blocks(name, text):
    path = pathlib.PurePath(name)
    suffix = pathlib.PurePath(path.stem if path.suffix == ".in" else path.name).suffix
    yield from _blocks(text, "//" if suffix in C_SUFFIXES else "#")
    if suffix in C_SUFFIXES:
        yield from _blocks_between_marks(text)
    elif suffix == ".py":
        yield from _docstrings(text)


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


def sentences(name, text):
    """Pairs of the number of the line where a comment begins, and a sentence of it.

    The file's name tells its language; of x.cpp.in it is that of x.cpp.
    """
    for first, block in _all_blocks(name, text):
        for paragraph in _paragraphs(block):
            for sentence in filter(None, END.split(paragraph)):
                yield first, sentence
