"""What ctest says of its tests, read from its JUnit file."""

import dataclasses
import re
import xml.etree.ElementTree as ElementTree

# How a test says what the machine lacks: in Python's tests, shell scripts and GoogleTest.
_SAID = re.compile(r"^not tried here: (.+)$|^skipped: (.+)$|: Skipped\n(.+)$", re.MULTILINE)


@dataclasses.dataclass
class Report:
    """`failed` and `untried` are pairs of a test's name and what it said, `times` of seconds and a
    name. `idle` has those that did not run for reasons of ours."""

    ran: int = 0
    failed: list = dataclasses.field(default_factory=list)
    idle: list = dataclasses.field(default_factory=list)
    untried: list = dataclasses.field(default_factory=list)
    times: list = dataclasses.field(default_factory=list)


def reasons(output):
    """Why a test, or parts of it, did not run; never empty."""
    found = ["".join(groups).strip() for groups in _SAID.findall(output)]
    last = [line.strip() for line in output.splitlines() if line.strip()][-1:]
    return sorted(set(found)) or last or ["it does not say why"]


def read(file):
    report = Report()
    for case in ElementTree.parse(file).getroot().iter("testcase"):
        name, output = case.get("name"), case.findtext("system-out") or ""
        skipped = case.find("skipped")
        if skipped is not None and skipped.get("message", "").startswith("SKIP_"):  # by code or words
            report.untried += [(name, reason) for reason in reasons(output)]
        elif case.get("status") in ("notrun", "disabled"):
            report.idle.append(name)
        else:
            report.ran += 1
            report.times.append((float(case.get("time") or 0), name))
            if case.get("status") == "fail":
                report.failed.append((name, output))
    report.times.sort(reverse=True)
    return report


def by_reason(untried):
    """One line for each reason, with the tests that gave it."""
    tests = {}
    for name, reason in untried:
        tests.setdefault(reason, []).append(name)
    return [f"not tried here: {reason}: {', '.join(sorted(set(tests[reason])))}" for reason in sorted(tests)]
