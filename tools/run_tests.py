#!/usr/bin/env python3
"""Runs the stages of `make test`, all or those named, and says what each took.

A stage fails when a command of it fails, when ctest finds no test, or when a test did not run:
skipped and disabled tests count as failures. Later stages still run, so that one run shows all
that is wrong, and what failing tests said is repeated at the end; the exit status is that of the
worst. The tests that took longest are named. Nothing here reads stdin.
"""

import argparse
import dataclasses
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOO_LONG_FOR_CI = ("soak", "bench")
LONGEST_TESTS = 20  # of a stage, named after it
LAST_OUTPUT = 3000  # characters of what a failing test said, repeated at the end


class StageFailed(Exception):
    """Says in one line what failed; `tests` has the name and the output of each failing test."""

    def __init__(self, line, tests=()):
        super().__init__(line)
        self.tests = tests


@dataclasses.dataclass
class Result:
    stage: str
    seconds: float
    failure: str
    note: str
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


def read_junit(report):
    """Returns (tests run, names of tests that did not run, [(name, output)] of those that failed,
    [(seconds, name)] of those that ran, the longest first)."""
    cases = ElementTree.parse(report).getroot().iter("testcase")
    idle, failed, times = [], [], []
    for case in cases:
        did_not_run = case.get("status") in ("notrun", "disabled") or case.find("skipped") is not None
        if did_not_run:
            idle.append(case.get("name"))
            continue
        times.append((float(case.get("time") or 0), case.get("name")))
        if case.get("status") == "fail":
            failed.append((case.get("name"), case.findtext("system-out") or ""))
    return len(times), idle, failed, sorted(times, reverse=True)


def ctest(preset, jobs, *filters, prefix=()):
    """Runs ctest in a preset's build; returns a note for the summary."""
    report = ROOT / "build" / preset / "ctest.xml"
    report.unlink(missing_ok=True)
    failure = None
    try:
        run(
            *prefix, "ctest", "--test-dir", f"build/{preset}", "--output-on-failure",
            "--no-tests=error", "--timeout", "300", "-j", jobs, "--output-junit", report, *filters,
        )  # fmt: skip
    except StageFailed as stage_failed:
        failure = stage_failed
    if not report.exists():
        raise failure or StageFailed("ctest wrote no report")
    ran, idle, failed, times = read_junit(report)
    print(f"The longest tests of {preset}:")
    for seconds, name in times[:LONGEST_TESTS]:
        print(f"{seconds:10.1f} s  {name}", flush=True)
    if idle:
        print("Tests that did not run:", *idle, sep="\n    ", flush=True)
    if failure or idle:
        words = [str(failure)] if failure else []
        words += [f"{len(idle)} tests were skipped: a failure here"] if idle else []
        raise StageFailed("; ".join(words), failed)
    return f"{ran} tests" + ("" if os.geteuid() == 0 else ", without those that only root can run")


def stage_format(_jobs):
    run("tools/check_format.sh")


def stage_layers(_jobs):
    run(sys.executable, "tools/check_layers.py")
    run(sys.executable, "tools/check_style.py")


def stage_build(jobs):
    configure("release")
    build("release", jobs)


def stage_ctest(jobs):
    return ctest("release", jobs, "-LE", left_out())


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
    # Which call fails is no matter of threads; AddressSanitizer sees what comes of it.
    return sanitized("tsan", jobs, "-E", r"^out_of_memory_test\.OutOfMemory\.(OneCallFails|CallsFailFromOneOn)$")


def stage_soak(jobs):
    configure("release")
    build("release", jobs)
    return ctest("release", jobs, "-L", "^soak$")


# In the order in which they run. Soak runs only when named.
STAGES = {
    "format": stage_format,
    "layers": stage_layers,
    "build": stage_build,
    "ctest": stage_ctest,
    "clang": stage_clang,
    "asan": stage_asan,
    "tsan": stage_tsan,
    "soak": stage_soak,
}
DEFAULT_STAGES = [name for name in STAGES if name != "soak"]


def run_stage(name, jobs):
    print(f"\n=== {name}", flush=True)
    start = time.monotonic()
    failure, note, failed_tests = "", "", ()
    try:
        note = STAGES[name](jobs) or ""
    except StageFailed as stage_failed:
        failure, failed_tests = str(stage_failed), stage_failed.tests
        print(f"=== {name} FAILED: {failure}", flush=True)
    return Result(name, time.monotonic() - start, failure, note, failed_tests)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="parallel jobs")
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=" ".join(STAGES))
    arguments = parser.parse_args()
    unknown = [name for name in arguments.stages if name not in STAGES]
    if unknown:
        parser.error(f"no stage {' '.join(unknown)}; there are: {' '.join(STAGES)}")

    os.environ.setdefault("CLICOLOR", "0")
    results = [run_stage(name, arguments.jobs) for name in arguments.stages or DEFAULT_STAGES]

    for result in results:
        for name, output in result.failed_tests:
            print(f"\n=== {result.stage}: {name} failed:\n{output[-LAST_OUTPUT:]}")
    print("\n=== summary")
    for result in results:
        verdict = f"FAILED: {result.failure}" if result.failure else f"ok  {result.note}"
        print(f"{result.stage:10} {result.seconds:7.1f} s  {verdict}")
    print(f"{'total':10} {sum(result.seconds for result in results):7.1f} s")
    return 1 if any(result.failure for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
