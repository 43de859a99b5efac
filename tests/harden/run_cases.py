#!/usr/bin/env python3
"""Runs one case of a class of faults on the hardened heap, and its good twin.

    run_cases.py --mmt build/release/bin/mmt --source cases/NAME.c [--good TWIN] PROGRAM

Each size and preset is run several times, as secrets and orders are random. What is expected stands
in the head of the source, one directive a line:

    // expect: A | B              any of these outcomes
    // expect sync large huge: A  with some presets, for some sizes; of two lines the later counts, but
                                  one for presets and sizes before one for either, and that before
                                  one for all
    // sizes: small page large    the argument (default these three); numbers, and huge
    // presets: async sync        where the case itself is run; by default there, and where it is to be ok
                                  in all

Outcomes are:

    KIND      a report `mmt: KIND: ...` before any other line of MMT's. sync: the wrong call ends the
              program by SIGABRT. async: the program gets to its end, and its status is not 0.
    KIND+once  the same, and there is one report
    KIND+fault  the same report, after which the program dies by SIGSEGV or SIGBUS
    neutral   the program has found what it read to be neutral, and all is well
    fault     the program dies by SIGSEGV or SIGBUS, without a report
    ok        all is well: status 0 and nothing on stderr

Where KIND and fault are both allowed, the program may also die by SIGSEGV after the report. The good
twin, and a case that is ok itself, has to be ok with all presets. Sums of tails have 16 bits. Once in 65536 runs a block that was overwritten passes for whole.
So a fault may be missed once, if it is then found many times in a row. Exit status: 0 all as expected, 1
not, 2 wrong use.
"""

import argparse
import collections
import dataclasses
import os
import re
import resource
import shlex
import signal
import statistics
import subprocess
import sys

PRESETS = ("async", "sync", "debug", "openbsd", "phk")
SIZES = {"small": 24, "page": 4096, "large": 1 << 20, "huge": 400_000_000}
KINDS = (
    "double-free", "invalid-free", "overflow", "underflow", "write-after-free", "size-mismatch",
    "type-mismatch", "metadata-write",
)  # fmt: skip
# Found by looking at freed blocks, which may happen as the program ends.
FOUND_LATER = "write-after-free"
FAULTS = (-signal.SIGSEGV, -signal.SIGBUS)
ABORTED = (-signal.SIGABRT, 128 + signal.SIGABRT)
DIRECTIVE = re.compile(r"^// (expect|sizes|presets)\b([^:]*):(.*)$")
TRIES_AFTER_MISS = 25
LATE = re.compile(r"found (\d+) ms late at most$", re.M)


class CaseError(Exception):
    """The head of a case cannot be understood."""


@dataclasses.dataclass(frozen=True)
class Result:
    status: int | None  # None: it was still running when its time was up
    out: str
    err: str

    def reports(self):
        """The first words of MMT's lines that are not indented."""
        return re.findall(r"^mmt: ([^ \n]\S*?):? ", self.err, re.M)

    def __str__(self):
        ended = f"status {self.status}"
        if self.status is None:
            ended = "still running"
        elif self.status < 0:
            ended = signal.Signals(-self.status).name
        where = "" if "end\n" in self.out else ", not at its end"
        return "\n        ".join([ended + where, *self.err.splitlines()[:8]])


class Case:
    def __init__(self, text):
        self.sizes = ["small", "page", "large"]
        self.presets = []
        self._rules = []
        for line in text.splitlines():
            if not line.startswith("//"):
                break
            match = DIRECTIVE.match(line)
            if not match:
                continue
            what, tags, value = match.groups()
            if what == "expect":
                self._rules.append((set(tags.split()), [one.strip() for one in value.split("|")]))
            else:
                setattr(self, what, value.split())
        if not self.presets:
            self.presets = PRESETS if self._words() == {"ok"} else ("async", "sync")
        self._check()

    def _words(self):
        return {word for _, outcomes in self._rules for word in outcomes}

    def _check(self):
        words = {word.removesuffix("+fault").removesuffix("+once") for word in self._words()}
        unknown = words - {*KINDS, "neutral", "fault", "ok"}
        unknown |= set(self.presets) - set(PRESETS)
        unknown |= {tag for tags, _ in self._rules for tag in tags} - {*PRESETS, *self.sizes}
        if unknown:
            raise CaseError(f"unknown words: {' '.join(sorted(unknown))}")
        for preset in self.presets:
            for size in self.sizes:
                self.expected(preset, size)

    def expected(self, preset, size):
        fitting = []
        for tags, outcomes in self._rules:
            presets = tags.intersection(PRESETS)
            sizes = tags - presets
            if (not presets or preset in presets) and (not sizes or size in sizes):
                fitting.append((bool(presets) + bool(sizes), outcomes))
        if not fitting:
            raise CaseError(f"nothing is expected of {preset}, {size}")
        return max(reversed(fitting), key=lambda pair: pair[0])[1]


def fits(outcome, preset, result, outcomes):
    if outcome in ("ok", "neutral"):
        return result.status == 0 and result.err == "" and "end\n" in result.out
    if outcome == "fault":
        return result.status in FAULTS and not result.reports()
    if outcome.endswith("+once"):
        outcome = outcome.removesuffix("+once")
        if len(result.reports()) != 1:
            return False
    if result.reports()[:1] != [outcome.removesuffix("+fault")]:
        return False
    if outcome.endswith("+fault"):
        return result.status in (FAULTS if preset == "async" else (*FAULTS, *ABORTED))
    if "fault" in outcomes and result.status in FAULTS:
        return True
    has_ended = "end\n" in result.out
    if preset == "async":
        return has_ended and result.status is not None and result.status > 0
    return result.status in ABORTED and (FOUND_LATER in outcomes or not has_ended)


def is_as(outcomes, preset, result):
    return any(fits(one, preset, result, outcomes) for one in outcomes)


def lateness(errors):
    """How late the first report is at most, in ms; what says nothing was found as it happened. None
    where nothing is reported."""
    reports = re.split(r"^mmt: (?=[a-z])", errors, flags=re.M)
    if len(reports) < 2:
        return None
    late = LATE.search(reports[1])
    return int(late[1]) if late else 0


def is_missed_once(outcomes, wrong):
    """One of several runs, of which these went wrong, has not found a fault that is to be found."""
    return len(wrong) == 1 and set(outcomes) <= set(KINDS) and is_as(["ok"], "", wrong[0])


def argument_of(size):
    return str(SIZES.get(size, size))


def environment():
    return {name: value for name, value in os.environ.items() if not name.startswith(("MMT_", "LD_"))}


def run(command, seconds):
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=seconds)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            status = None
    return Result(status, out.decode(errors="replace"), err.decode(errors="replace"))


class Runner:
    def __init__(self, mmt, tries, seconds):
        self._mmt = mmt
        self._tries = tries
        self._seconds = seconds
        self.runs = 0
        self.latencies = collections.defaultdict(list)  # of faults that async found, in ms, by size
        self.failures = {}  # by command and what was got

    def run(self, program, preset, size, outcomes):
        command = [self._mmt, "run", f"--harden={preset}", "--", program, argument_of(size)]
        tried, wrong = 0, []
        while tried < self._tries or (tried < TRIES_AFTER_MISS and is_missed_once(outcomes, wrong)):
            tried += 1
            result = run(command, self._seconds)
            late = lateness(result.err) or 0
            if not is_as(outcomes, preset, result) or late > self._seconds * 1000:
                wrong.append(result)
            elif preset == "async":
                self._note_latency(size, result)
        self.runs += tried
        if not is_missed_once(outcomes, wrong):
            for result in wrong:
                self._fail(command, tried, outcomes, result)

    def _note_latency(self, size, result):
        late = lateness(result.err)
        if late is not None:
            self.latencies[size].append(late)

    def _fail(self, command, tried, outcomes, result):
        # Addresses differ from run to run.
        key = shlex.join(command), re.sub(r"0x[0-9a-f]+", "0x", str(result))
        times = self.failures.get(key, (0,))[0]
        self.failures[key] = times + 1, tried, outcomes, result

    def print(self):
        for size, found in self.latencies.items():
            print(f"async, {size}: found {statistics.median(found):.0f} ms late, {max(found)} at most")
        for (command, _), (times, tried, outcomes, result) in self.failures.items():
            print(f"FAILED {times} of {tried} times: {command}")
            print(f"    expected {' | '.join(outcomes)}")
            print(f"    got {result}")
        print(f"{self.runs} runs, {sum(failure[0] for failure in self.failures.values())} failed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mmt", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--good")
    parser.add_argument("--tries", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=30, help="that a run may take")
    parser.add_argument("program")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        with open(args.source, encoding="utf-8") as file:
            case = Case(file.read())
    except (OSError, CaseError) as error:
        print(f"{args.source}: {error}", file=sys.stderr)
        return 2
    runner = Runner(args.mmt, args.tries, args.seconds)
    for size in case.sizes:
        for preset in case.presets:
            runner.run(args.program, preset, size, case.expected(preset, size))
        for preset in PRESETS if args.good else ():
            runner.run(args.good, preset, size, ["ok"])
    runner.print()
    return 1 if runner.failures else 0


if __name__ == "__main__":
    sys.exit(main())
