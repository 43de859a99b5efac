"""Every source of a build is compiled with the house's warnings as errors."""

import json
import pathlib
import shlex
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVERYWHERE = {"-Wall", "-Wextra", "-Werror"}
# Programs that misuse malloc on purpose live in tests/; conversions are not their subject.
OUTSIDE_TESTS = EVERYWHERE | {"-Wconversion"}


def missing_flags(entry):
    words = shlex.split(entry["command"])
    path = pathlib.Path(entry["file"])
    in_tests = ROOT / "tests" in path.parents
    missing = (EVERYWHERE if in_tests else OUTSIDE_TESTS) - set(words)
    return missing | {word for word in words if word in ("-w", "-Wno-error")}


def main():
    commands = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    wrong = 0
    for entry in commands:
        flags = missing_flags(entry)
        if flags:
            wrong += 1
            print(f"{entry['file']}: compiled without the house's warnings: {sorted(flags)}")
    print(f"{len(commands)} sources, {wrong} wrong")
    return 1 if wrong or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
