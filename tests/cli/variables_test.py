"""`mmt list variables`: what sources read of the environment is there, and nothing else."""

import json
import pathlib
import re

from support import Lab, main, mmt

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = "variables"  # src/interprocess/variables.cpp and .h
SUFFIXES = (".cpp", ".h", ".py", ".sh")
# As a whole word of a program, or a shell's.
LITERAL = re.compile(r"""["'](MMT_[A-Z_]+|[A-Z_]+)=?["']|\$\{?(MMT_[A-Z_]+)""")
# Stands for each option's own.
ANY_OPTION = "MMT_NAME"


def rows():
    return {one["name"]: one for one in json.loads(mmt("list", "variables", "--json").out)["variables"]}


def sources():
    for folder in ("include", "lab", "src", "tools", "workloads"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.stem != TABLE and not re.search(r"_test\.\w+$", path.name):
                yield path


def named_in_sources():
    """{variable: one file that names it}"""
    names = {}
    for path in sources():
        for literal, shell in LITERAL.findall(path.read_text(encoding="utf-8")):
            names.setdefault(literal or shell, path.relative_to(ROOT))
    return names


class Variables(Lab):
    def test_what_sources_name_is_listed(self):
        options = {f"MMT_{one['name'].upper()}" for one in json.loads(mmt("list", "options", "--json").out)["options"]}
        listed = rows()
        found = {name: path for name, path in named_in_sources().items() if re.fullmatch("MMT_[A-Z_]*[A-Z]", name)}
        del found["MMT_BENCH"]  # what several begin with
        self.assertGreater(len(found), 20)
        self.assertEqual({name: path for name, path in found.items() if name not in listed and name not in options}, {})

    def test_what_is_listed_is_named_in_sources(self):
        found = named_in_sources()
        self.assertEqual([name for name in rows() if name not in found and name != ANY_OPTION], [])

    def test_the_manual_has_those_that_people_set(self):
        page = mmt("manual").out.replace("\\fB", "").replace("\\fR", "").split(".SH ENVIRONMENT")[1]
        shown = re.findall(r"^\.TP\n(\w+)$", page, re.MULTILINE)
        self.assertEqual(shown, [name for name, one in rows().items() if one["set_by"] == "you"])
        self.assertIn("MMT_LAB_PYTHON", shown)


if __name__ == "__main__":
    main()
