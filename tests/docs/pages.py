"""The project's Markdown, as the tests of the documents see it: pages, prose, links, anchors."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "workloads", "lab", "src", "include", "tests", "tools", "fuzz", "cmake", "packages")
PAGES = sorted([*ROOT.glob("*.md"), *(page for name in FOLDERS for page in (ROOT / name).rglob("*.md"))])
USER_NAMES = """allocators bench commands comparison containers glossary modes options troubleshooting tutorial"""
FOR_USERS = [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in USER_NAMES.split())]

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
KEPT = re.compile(r"^<!-- kept: .+? -->$.*?^<!-- end of kept -->$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
CODE = re.compile(r"`[^`\n]+(?:\n[^`\n]+)?`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.) ")


def read(page):
    return page.read_text(encoding="utf-8")


def name_of(page):
    return str(page.relative_to(ROOT))


def words(text):
    return len(text.split())


def written(text):
    """The text without the tables that programs print into it."""
    return KEPT.sub("", text)


def without_code(text):
    """The text with what is quoted taken out: blocks go, an inline piece is one word."""
    return CODE.sub("CODE", COMMENT.sub("", FENCE.sub("", text)))


def paragraphs(text):
    """Prose by paragraphs and items of lists, each on one line; no tables, headings or code."""
    found = [""]
    for line in without_code(text).splitlines():
        if not line.strip() or line.startswith(("#", "|", "    ", "<", "![")) and not ITEM.match(line):
            found.append("")
        elif ITEM.match(line):
            found.append(ITEM.sub("", line).strip())
        else:
            found[-1] = f"{found[-1]} {line.strip()}".strip()
    return [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", one) for one in found if one]


def sentences(text):
    """Pieces of prose that end in a full stop, a question or an exclamation mark."""
    for paragraph in paragraphs(text):
        yield from filter(None, re.split(r"(?<=[.!?])[)*\"]*\s+", paragraph))


def anchors(text):
    """What `#NAME` may be in links to the page."""
    titles = HEADING.findall(COMMENT.sub("", FENCE.sub("", text)))
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "") for title in titles)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in plain}


def links(text):
    """Targets of links within the repository, as (path, anchor)."""
    for target in LINK.findall(CODE.sub("", FENCE.sub("", text))):
        if "://" not in target and not target.startswith("mailto:"):
            path, _, anchor = target.partition("#")
            yield path, anchor
