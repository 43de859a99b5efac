"""Wrong compositions of heap layers do not compile, and the compiler's first error names the layer;
nor do calls without what they need.

    twins.py --compiler g++ [FILE...]

Each source beside this file has wrong compositions, chosen by -DWRONG=1 and so on, with the
message that is wanted of each (a regular expression):

    #if WRONG == 1  // @error ChunkHeap: its super-heap's blocks are not aligned

Without WRONG it is a right one, and compiles. Every layer that asserts something about itself or
its super-heap has such a twin. All compilations run side by side, one for each CPU.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DIRECTIVE = re.compile(r"^#\s*(?:el)?if WRONG == (\d+)\s*// @error (.+)$", re.MULTILINE)
FIRST_ERROR = re.compile(r"^.*\berror: .*$", re.MULTILINE)
LAYER = r"\w+Heap|Bins|HeapResource|std_allocator"
ASSERTION = re.compile(rf"\bstatic_assert\s*\([^;]*?\"({LAYER}): ", re.DOTALL)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def compile_twin(compiler, path, wrong=None):
    """Returns (compiled, the first error)."""
    words = [*compiler, "-std=c++20", "-fsyntax-only"]
    words += [f"-I{ROOT / folder}" for folder in ("include", "src", "tests")]
    words += [] if wrong is None else [f"-DWRONG={wrong}"]
    result = subprocess.run(
        [*words, str(path)], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    error = FIRST_ERROR.search(result.stderr)
    return result.returncode == 0, error.group() if error else result.stderr.strip()


def problems_of_twin(compiler, path, wrong, wanted):
    compiled, error = compile_twin(compiler, path, wrong)
    name = path.name if wrong is None else f"{path.name} WRONG={wrong}"
    if wanted is None:
        return [] if compiled else [f"{name}: the right one does not compile: {error}"]
    if compiled:
        return [f"{name}: compiles, but should say: {wanted}"]
    if not re.search(wanted, error):
        return [f"{name}: should say: {wanted}\n    but says first: {error}"]
    return []


def twins_of(path):
    """All of a file: (number or None, wanted message or None)."""
    found = DIRECTIVE.findall(path.read_text(encoding="utf-8"))
    return [(None, None), *((int(number), wanted.strip()) for number, wanted in found)]


def lacks(path):
    """Each WRONG must have its message, on the same line."""
    chosen = path.read_text(encoding="utf-8").count("if WRONG ==")
    return chosen == 0 or chosen != len(twins_of(path)) - 1


def layers_with_assertions(headers):
    """Layers, by the name that their assertions begin with, and the header."""
    found = {}
    for path in sorted(headers.rglob("*.h")):
        text = COMMENT.sub(" ", path.read_text(encoding="utf-8"))
        for name in ASSERTION.findall(text):
            found.setdefault(name, path)
    return found


def layers_without_twin(headers, paths):
    """A twin names the layer in its message, or is the file of that header. Where a layer's base
    asserts the same first, the message is the base's."""
    names = {wanted.split(":")[0] for path in paths for _, wanted in twins_of(path) if wanted}
    files = {path.stem for path in paths}
    return [
        f"{name} ({path.name}) has assertions, but no twin here"
        for name, path in layers_with_assertions(headers).items()
        if name not in names and path.stem not in files
    ]


def check(compiler, paths, headers=None):
    """Returns (number of compilations, problems)."""
    jobs = [(path, wrong, wanted) for path in paths for wrong, wanted in twins_of(path)]
    problems = [f"{path.name}: a WRONG without @error, or none" for path in paths if lacks(path)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda job: problems_of_twin(compiler, *job), jobs):
            problems += found
    if headers is not None:
        problems += layers_without_twin(headers, paths)
    return len(jobs), problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="c++", help="the command that compiles")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    every = sorted(HERE.glob("*.cpp"))
    count, problems = check(
        options.compiler.split(),
        options.files or every,
        None if options.files else ROOT / "include/mmt",
    )
    for problem in problems:
        print(problem)
    print(f"{count} compositions compiled, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
