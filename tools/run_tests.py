#!/usr/bin/env python3
"""Runs the stages of `make test`, all or those named, and says what each took.

A stage fails when a command of it fails, or when ctest finds no test. Later stages still run, so
that one run shows all that is wrong. What failing tests said is repeated at the end, and the exit
status is that of the worst. What the machine lacks for some tests is told at the end as well: "not
tried here". With --strict, as in CI, that is a failure. The tests that took longest are named.
Nothing here reads stdin, and nothing that the user has set in the environment reaches a stage.
"""

import argparse
import dataclasses
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from test_run import environment, memory, report

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOO_LONG_FOR_CI = ("soak", "bench")
LONGEST_TESTS = 20  # of a stage, named after it
QUICK_UNIT_TESTS = ("core_test", "sync_test", "sys_test", "store_test", "heap_rules_test")
QUICK_BUILD = ("mmt_cli", "mmt_preload", "mmt_trace", "mmt_heap_lea", "mmt_protocol_mmt", "mmt_protocol_sync")
QUICK_TESTS = (
    "programs.gawk",  # mmt run
    "heap.lea.programs.sqlite3",  # --heap
    "protocol.mmt.glibc.programs.lua",  # --backend
    "cli.run",
    "cli.trace",
    "cli.stats",
)
# Each of many calls fails in a run of its own. AddressSanitizer's stage sees what comes of it; the
# other stages leave these tests to the nightly one.
EVERY_FAILURE = r"^out_of_memory_test\.OutOfMemory\.(OneCallFails|CallsFailFromOneOn)$"
LAST_OUTPUT = 3000  # characters of what a failing test said, repeated at the end


class StageFailed(Exception):
    """Says in one line what failed. `tests` has the name and the output of each failing test,
    `untried` the name of each that did not run, with the reason."""

    def __init__(self, line, tests=(), untried=()):
        super().__init__(line)
        self.tests = tests
        self.untried = untried


@dataclasses.dataclass
class Note:
    """What a stage that passed says, and pairs of a test that was not tried and the reason."""

    text: str = ""
    untried: tuple = ()


@dataclasses.dataclass
class Result:
    stage: str
    seconds: float
    failure: str
    note: Note
    failed_tests: tuple


def run(*command, **options):
    """Runs a command from the root of the project; raises StageFailed when it fails."""
    words = [str(word) for word in command]
    print("+ " + " ".join(words), flush=True)
    code = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, check=False, **options).returncode
    if code != 0:
        raise StageFailed(f"exit status {code} from: {' '.join(words)}")


def configure(preset, *settings):
    run("cmake", "--preset", preset, "--log-level=WARNING", "-DMMT_TESTS=ON", *settings)


def build(preset, jobs, *targets):
    target_words = ["--target", *targets] if targets else []
    run("cmake", "--build", "--preset", preset, "-j", jobs, *target_words)


def without_aslr():
    """Prefix that gives sanitizers the address space they expect, where the kernel allows it."""
    if not shutil.which("setarch"):
        return []
    prefix = ["setarch", platform.machine(), "-R"]
    probe = subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL, check=False)
    return prefix if probe.returncode == 0 else []


def left_out():
    """Labels of tests that do not run: the long ones, and for others than root what only root can do."""
    labels = [*TOO_LONG_FOR_CI, *([] if os.geteuid() == 0 else ["root"])]
    return f"^({'|'.join(labels)})$"


def listed(preset, *filters):
    """The names of the tests of a preset's build that these filters leave."""
    words = ["ctest", "--test-dir", f"build/{preset}", "-N", *filters]
    done = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return re.findall(r"^ +Test +#\d+: (.+)$", done.stdout, re.MULTILINE)


def for_root_only(preset, *filters):
    """Pairs of a test that others than root leave out, and why."""
    if os.geteuid() == 0:
        return []
    return [(name, "only root can") for name in listed(preset, "-L", "^root$", *filters)]


def ctest(preset, jobs, *filters, prefix=()):
    """Runs ctest in a preset's build; returns the stage's note."""
    file = ROOT / "build" / preset / "ctest.xml"
    file.unlink(missing_ok=True)
    failure = None
    try:
        run(
            *prefix, "ctest", "--test-dir", f"build/{preset}", "--output-on-failure",
            "--no-tests=error", "--timeout", "300", "-j", jobs, "--output-junit", file, *filters,
        )  # fmt: skip
    except StageFailed as stage_failed:
        failure = stage_failed
    if not file.exists():
        raise failure or StageFailed("ctest wrote no report")
    told = report.read(file)
    print(f"The longest tests of {preset}:")
    for seconds, name in told.times[:LONGEST_TESTS]:
        print(f"{seconds:10.1f} s  {name}", flush=True)
    others = [word for pair in zip(filters[::2], filters[1::2]) if pair[0] != "-LE" for word in pair]
    untried = (*told.untried, *for_root_only(preset, *others))
    if failure or told.idle:
        words = [str(failure)] if failure else []
        words += [f"did not run: {' '.join(told.idle)}"] if told.idle else []
        raise StageFailed("; ".join(words), told.failed, untried)
    return Note(f"{told.ran} tests", untried)


def stage_format(_jobs):
    run("tools/check_format.sh")


def stage_folders(_jobs):
    run("python3", "-B", "tools/check_folders.py")
    run("python3", "-B", "tools/check_style.py")


def stage_build(jobs):
    configure("release")
    build("release", jobs)


def stage_ctest(jobs):
    # The longer tests spend half of their time waiting.
    return ctest("release", jobs + (jobs + 1) // 2, "-LE", left_out(), "-E", EVERY_FAILURE)


def stage_quick(jobs):
    """A first look: unit tests of the parts that everything stands on, and one real program or a file of
    tests a feature. Needs packages/quick.txt alone."""
    configure("release")
    build("release", jobs, *QUICK_BUILD, *QUICK_UNIT_TESTS)
    units = "|".join(QUICK_UNIT_TESTS)
    chosen = rf"^(({units})\.|({'|'.join(map(re.escape, QUICK_TESTS))})$)"
    names = listed("release", "-R", chosen)
    missing = [one for one in (*QUICK_UNIT_TESTS, *QUICK_TESTS) if not any(f"{name}.".startswith(f"{one}.") for name in names)]
    if missing:
        raise StageFailed(f"there is no test {' '.join(missing)}")
    return ctest("release", jobs, "-R", chosen)


def stage_clang(jobs):
    """What is shipped and every header alone: nothing runs, so nothing is optimized."""
    flags = [f"-DCMAKE_{language}_FLAGS=-DNDEBUG" for language in ("C", "CXX")]
    configure("clang", "-DCMAKE_BUILD_TYPE=None", *flags)
    build("clang", jobs, "product", "headers_alone")


def sanitized(preset, jobs, *filters):
    configure(preset)
    build(preset, jobs, "unit_tests")
    return ctest(preset, jobs, "-L", "^unit$", "-LE", left_out(), *filters, prefix=without_aslr())


def stage_asan(jobs):
    return sanitized("asan", jobs)


def stage_tsan(jobs):
    return sanitized("tsan", jobs, "-E", EVERY_FAILURE)


def stage_soak(jobs):
    configure("release")
    build("release", jobs)
    ctest("release", jobs, "-R", EVERY_FAILURE)
    return ctest("release", jobs, "-L", "^soak$")


# In the order in which they run. The last two run only when named.
STAGES = {
    "format": stage_format,
    "folders": stage_folders,
    "build": stage_build,
    "ctest": stage_ctest,
    "clang": stage_clang,
    "asan": stage_asan,
    "tsan": stage_tsan,
    "soak": stage_soak,
    "quick": stage_quick,
}
DEFAULT_STAGES = [name for name in STAGES if name not in ("soak", "quick")]


def run_stage(name, jobs):
    print(f"\n=== {name}", flush=True)
    warning = memory.warning()
    if warning:
        print(f"run_tests: {warning}", flush=True)
    start = time.monotonic()
    failure, note, failed_tests = "", Note(), ()
    try:
        note = STAGES[name](jobs) or note
    except StageFailed as stage_failed:
        failure, failed_tests = str(stage_failed), stage_failed.tests
        note = Note(untried=stage_failed.untried)
        print(f"=== {name} FAILED: {failure}", flush=True)
    return Result(name, time.monotonic() - start, failure, note, failed_tests)


def fail_what_was_not_tried(results):
    for result in results:
        if result.note.untried and not result.failure:
            result.failure = f"not everything was tried: {len(result.note.untried)}"


def summarize(results):
    for result in results:
        for name, output in result.failed_tests:
            print(f"\n=== {result.stage}: {name} failed:\n{output[-LAST_OUTPUT:]}")
    print("\n=== summary")
    for result in results:
        verdict = f"FAILED: {result.failure}" if result.failure else f"ok  {result.note.text}"
        print(f"{result.stage:10} {result.seconds:7.1f} s  {verdict}")
    print(f"{'total':10} {sum(result.seconds for result in results):7.1f} s")
    for line in report.by_reason([one for result in results for one in result.note.untried]):
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="parallel jobs")
    parser.add_argument("--strict", action="store_true", help="what cannot be tried here is a failure")
    parser.add_argument("--path", default=environment.SYSTEM_PATH, help="where programs are (default: %(default)s)")
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=" ".join(STAGES))
    arguments = parser.parse_args()
    unknown = [name for name in arguments.stages if name not in STAGES]
    if unknown:
        parser.error(f"no stage {' '.join(unknown)}; there are: {' '.join(STAGES)}")

    environment.adopt(ROOT / "build/home", arguments.path)
    no_leaks = environment.without_leaks()
    results = [run_stage(name, arguments.jobs) for name in arguments.stages or DEFAULT_STAGES]
    if no_leaks:
        results[-1].note.untried += (("leaks, by sanitizers", no_leaks),)
    if arguments.strict:
        fail_what_was_not_tried(results)
    summarize(results)
    return 1 if any(result.failure for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
