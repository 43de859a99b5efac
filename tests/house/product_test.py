"""What `make`, `make demo` and `make install` build needs no package that only tests need."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOALS = ("product", "demo_programs", "workloads")
# Headers of packages in packages/test.txt.
OF_TESTS = re.compile(r"^\s*#\s*include\s*<(gtest|gmock|rapidcheck|benchmark)[./]", re.MULTILINE)


def sources(build):
    told = subprocess.run(
        ["ninja", "-C", build, "-t", "inputs", *GOALS], capture_output=True, text=True, check=True
    ).stdout
    paths = {pathlib.Path(build, line.strip()).resolve() for line in told.splitlines()}
    return sorted(one for one in paths if one.suffix in (".c", ".cpp") and ROOT in one.parents)


def main():
    found = sources(sys.argv[1])
    wrong = [
        one
        for one in found
        if one.stem.endswith("_test") or OF_TESTS.search(one.read_text(encoding="utf-8"))
    ]
    for one in wrong:
        print(f"{one.relative_to(ROOT)}: built by 'make', where GoogleTest may not be installed")
    print(f"{len(found)} sources of {', '.join(GOALS)}, {len(wrong)} wrong")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
