#!/usr/bin/env python3
"""Checks the includes of every source against the folder order in docs/folders.toml.

Fails on an include of a folder that is not below the including one, and on a folder that is not
listed. Fails on an include against the order of a folder's rooms, and on one that is not a full
path from an include root. Fails on a namespace that is not the folder's, and on files that include
each other in a circle. The roots are include/, src/, and for files of workloads/, tests/ and fuzz/
that tree or its topic (tests/model/). Takes another root as argument, for its own test.
"""

import dataclasses
import pathlib
import re
import sys
import tomllib

INCLUDE = re.compile(r'^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
NAMESPACE = re.compile(r"^[ \t]*(?:inline[ \t]+)?namespace[ \t]+mmt(?:::([\w:]+))?[ \t\n]*\{", re.MULTILINE)
SUFFIXES = {".h", ".hpp", ".c", ".cc", ".cpp"}


class LawError(Exception):
    """docs/folders.toml itself is wrong."""


@dataclasses.dataclass(frozen=True)
class Rule:
    """What one folder may include: folders, single headers, and nothing of `system`. What of mmt:: it
    may open."""

    below: frozenset
    also: frozenset
    system: tuple
    any: bool = False
    namespaces: tuple | None = None  # None: all


class Law:
    """The order of docs/folders.toml, with `above` closed over what lies below."""

    def __init__(self, text):
        data = tomllib.loads(text)
        self._tables = data.get("folders", {})
        self.folders = {name: self._rule(name, table) for name, table in self._tables.items()}
        self.rooms = {name: self._rooms(table) for name, table in data.get("rooms", {}).items()}
        self.standalone = frozenset(data.get("standalone", {}).get("headers", []))
        self.trees = {
            name: self._rule(None, table) for name, table in data.get("trees", {}).items()
        }

    def _rule(self, name, table):
        below = self._closure(table.get("above", []), [name] if name else [])
        return Rule(
            below | ({name} if name else set()),
            frozenset(table.get("also", [])),
            tuple(table.get("system", [])),
            table.get("any", False),
            (name, *table.get("namespaces", [])) if name else None,
        )

    def _rooms(self, table):
        """{room: it and all that are below it}"""
        tables = {room: {"above": names} for room, names in table.items()}
        return {room: self._closure([room], [], tables) for room in table}

    def _closure(self, names, path, tables=None):
        tables = self._tables if tables is None else tables
        result = frozenset()
        for name in names:
            if name in path:
                raise LawError("a circle: " + " > ".join([*path, name]))
            if name not in tables:
                raise LawError(f"'{path[-1] if path else 'a tree'}' is above '{name}', which is not listed")
            result |= {name} | self._closure(tables[name].get("above", []), [*path, name], tables)
        return result


def without_comments(text):
    """Blanks comments, keeping line numbers; leaves string literals alone."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)

    def blank(match):
        found = match.group()
        return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)

    return pattern.sub(blank, text)


class Checker:
    def __init__(self, root, law):
        self.root = root
        self.law = law
        self.errors = []
        self.checked = 0
        self.included = {}  # {file of include/ or src/: those that it includes}

    def check(self):
        for base in ("include/mmt", "src"):
            self._check_folders(base)
        for name, rule in self.law.trees.items():
            for path in self._sources(self.root / name):
                self._check_file(path, rule, None, public=False)
        self._check_circles()
        return self.errors

    def _check_circles(self):
        done = set()

        def visit(path, above):
            if path in above:
                circle = " > ".join([*above[above.index(path) :], path])
                self.errors.append(f"files include each other in a circle: {circle}")
            elif path not in done:
                for other in self.included.get(path, ()):
                    visit(other, [*above, path])
                done.add(path)

        for path in sorted(self.included):
            visit(path, [])

    def _check_folders(self, base):
        if not (self.root / base).is_dir():
            return
        for entry in sorted((self.root / base).iterdir()):
            where = f"{base}/{entry.name}"
            if entry.is_dir():
                rule = self.law.folders.get(entry.name)
                sources = self._sources(entry)
                rooms = self.law.rooms.get(entry.name) if base == "src" else None
                for path in sources if rooms else ():
                    if self._room_of(path) not in rooms:
                        self.errors.append(f"{path.relative_to(self.root)}: in no room of docs/folders.toml")
                if sources and rule is None:
                    self.errors.append(f"{where}: folder is not listed in docs/folders.toml")
                    continue
                for path in sources:
                    self._check_file(path, rule, entry.name, public=base.startswith("include"))
            elif entry.name in self.law.standalone and base.startswith("include"):
                self._check_file(entry, Rule(frozenset(), frozenset(), ()), entry.name, public=True)
            elif entry.suffix in SUFFIXES:
                self.errors.append(f"{where}: a source outside every folder of docs/folders.toml")

    def _sources(self, folder):
        found = folder.rglob("*") if folder.is_dir() else []
        return sorted(path for path in found if path.suffix in SUFFIXES and path.is_file())

    def _check_file(self, path, rule, folder, public):
        self.checked += 1
        text = without_comments(path.read_text(encoding="utf-8"))
        for match in INCLUDE.finditer(text):
            quote, spelling = match.groups()
            if folder:
                base = "include" if quote == "<" else "src"
                self.included.setdefault(str(path.relative_to(self.root)), []).append(f"{base}/{spelling}")
            line = text.count("\n", 0, match.start()) + 1
            problem = self._problem(path, rule, folder, public, quote, spelling)
            problem = problem or self._problem_of_rooms(path, folder, spelling)
            if problem:
                shown = f"<{spelling}>" if quote == "<" else f'"{spelling}"'
                self.errors.append(f"{path.relative_to(self.root)}:{line}: {shown}: {problem}")
        self._check_namespaces(path, rule, text)

    def _check_namespaces(self, path, rule, text):
        for match in NAMESPACE.finditer(text) if rule.namespaces else ():
            name = match.group(1) or ""
            if not any(f"{name}::".startswith(f"{allowed}::") for allowed in rule.namespaces):
                line = text.count("\n", 0, match.start()) + 1
                shown = "mmt::" + name if name else "mmt"
                where = f"{path.relative_to(self.root)}:{line}"
                self.errors.append(f"{where}: {rule.namespaces[0]} must not open namespace {shown}")

    def _problem(self, path, rule, folder, public, quote, spelling):
        if quote == '"':
            return self._problem_of_quoted(path, rule, folder, public, spelling)
        if spelling.startswith("mmt/"):
            if not (self.root / "include" / spelling).is_file():
                return "no such public header"
            return self._problem_of_order(rule, folder, spelling.split("/")[1], spelling)
        if (self.root / "src" / spelling).is_file():
            return "an internal header is included with quotes"
        if spelling in rule.also:
            return None
        forbidden = [prefix for prefix in rule.system if spelling.startswith(prefix)]
        return f"{folder} must not include {forbidden[0]}" if forbidden else None

    def _problem_of_quoted(self, path, rule, folder, public, spelling):
        if ".." in pathlib.PurePosixPath(spelling).parts or spelling.startswith("/"):
            return "an include by relative path"
        if public:
            return "a public header includes an internal one"
        if (self.root / "src" / spelling).is_file():
            return self._problem_of_order(rule, folder, spelling.split("/")[0], spelling)
        if self._is_in_root_of_tree(path, folder, spelling):
            return None
        if (path.parent / spelling).exists():
            return "an include by relative path: give the full one from the include root"
        return "not a path from an include root"

    def _is_in_root_of_tree(self, path, folder, spelling):
        """A tree and each topic in it are include roots of their files. tests/ and workloads/ are
        roots of whatever tests: unit tests and trees that may include everything."""
        parts = path.relative_to(self.root).parts
        roots = [] if folder else [pathlib.Path(parts[0]), pathlib.Path(*parts[:2])]
        testing = path.stem.endswith("_test") if folder else self.law.trees[parts[0]].any
        roots += [pathlib.Path("tests"), pathlib.Path("workloads")] if testing else []
        if pathlib.PurePosixPath(spelling).name == spelling:
            return False
        return any((self.root / base / spelling).is_file() for base in roots)

    def _problem_of_order(self, rule, folder, target, spelling):
        if rule.any or target in rule.below or spelling in rule.also:
            return None
        if target in self.law.standalone and folder not in self.law.standalone:
            return None
        if target not in self.law.folders:
            return f"folder '{target}' is not listed in docs/folders.toml"
        return f"{folder or 'this tree'} must not include {target}"


    def _problem_of_rooms(self, path, folder, spelling):
        rooms = self.law.rooms.get(folder)
        if not rooms or path.stem.endswith("_test") or not spelling.startswith(f"{folder}/"):
            return None
        own, other = self._room_of(path), spelling.split("/")[1]
        if other in rooms.get(own, ()):
            return None
        return f"{folder}/{own} must not include {folder}/{other}"

    def _room_of(self, path):
        return path.relative_to(self.root).parts[2]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    root = root.resolve()
    try:
        law = Law((root / "docs/folders.toml").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, LawError) as error:
        print(f"check_folders: docs/folders.toml: {error}", file=sys.stderr)
        return 1
    checker = Checker(root, law)
    errors = checker.check()
    for error in errors:
        print(error, file=sys.stderr)
    print(f"check_folders: {checker.checked} files, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
