"""What the command and the laboratory print goes through the functions that make names visible."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# (folder, files, what prints past them, files that may)
RULES = (
    (
        "src/cli",
        "*.[ch]*",
        re.compile(r"fmt::print\(|\bf?puts\(|\bf?printf\(|\bfwrite\(|std::c(out|err)\b|\.dump\("),
        {
            "message.h",  # tell, show
            "screen.cpp",  # its own cursor movements, around visible lines
            "json_text.h",
            "explain/passed_on.h",  # what a program has printed
            "trace/export.cpp",  # files of events
            "trace/trace_files.cpp",  # a file that this command reads
            "stats/glance.cpp",  # from a child to its parent
            "verbs/resolve.cpp",  # which puts bytes into JSON
        },
    ),
    (
        "lab/mmt_lab",
        "*.py",
        re.compile(r"(?<!\w)(?<!console\.)print\(|sys\.std(out|err)\.(buffer\.)?write\(|ensure_ascii|csv\.writer"),
        {
            "command/failure.py",  # tell
            "command/standard_output.py",  # say
            "text/plain_data.py",
        },
    ),
)


def violations(folder, files, prints, allowed):
    base = ROOT / folder
    for path in sorted(base.rglob(files)):
        name = path.relative_to(base).as_posix()
        if "_test." in name or any(name == one or name.endswith("/" + one) for one in allowed):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if prints.search(line.split("//")[0]):
                yield f"{folder}/{name}:{number}: prints past the functions that make names visible: {line.strip()}"


def main():
    planted = ('fmt::print("{}", name);', "print(name)")
    found = [one for rule in RULES for one in violations(*rule)]
    blind = [text for text, rule in zip(planted, RULES, strict=True) if not rule[2].search(text)]
    for one in (*found, *blind):
        print(one)
    return 1 if found or blind else 0


if __name__ == "__main__":
    sys.exit(main())
