"""Whether `mmt check` and `mmt bench` agree, on programs of every kind: what both found, and status 1
when they contradict each other (agreement.py). For a machine that does nothing else. Names on the
command line choose programs.

One time in many an interval of 95% misses: both measure again then, and only what both times is a
contradiction counts. The sentence of `mmt check` has to be true of its own figures, too. Ten of all
programs have to be decided.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from lab_support import MMT, ROOT, clean_environment  # goes first: it finds mmt_lab
import agreement

SCRIPTS = ROOT / "workloads" / "scripts"
WORKLOADS = MMT.parent.parent / "workloads"
RUNS = 7
LEAST_DECIDED = 10
# What the answer has to be, where a program leaves no doubt.
EXPECTED = {
    "static": ("cannot",),
    "asan": ("cannot",),
    "sleep": ("waits",),
    "true": ("too_little",),
    "ls": ("too_little",),
}
# A table of 200,000 names, sorted by them.
ROWS = (
    "with recursive c(x) as (select 1 union all select x + 1 from c where x < 200000) "
    "select count(*), max(n) from (select 'n' || (x * 7919 % 200003) as n from c order by n);"
)
ASAN = "int main(void) { return 0; }"


def programs(folder):
    """{name: command}, of which some are made in `folder`."""
    asan = folder / "asan"
    subprocess.run(
        ["cc", "-fsanitize=address", "-x", "c", "-", "-o", asan], input=ASAN, text=True, check=True
    )
    numbers = folder / "numbers.json"
    numbers.write_text(json.dumps([{"name": f"n{i}", "value": i} for i in range(60_000)]))
    text = folder / "text"
    text.write_text("".join(f"line {i * 7919 % 10007} of many\n" for i in range(150_000)))
    return {
        "gawk": ["gawk", "BEGIN { for (i = 0; i < 300000; i++) a[i] = i \"x\"; for (k in a) n++; print n }"],
        "perl": ["perl", "-e", "my %h; $h{qq(n$_)} = {value => $_} for 1 .. 100000; print scalar keys %h"],
        "python3": ["/usr/bin/python3", "-c", "print(len([{str(i): [i]} for i in range(200000)]))"],
        "sqlite3": ["sqlite3", ":memory:", ROWS],
        "lua": ["lua5.4", SCRIPTS / "points.lua"],
        "g++": ["g++", "-std=c++20", "-S", "-o", "-", SCRIPTS / "templates.cpp"],
        "jq": ["jq", "map(select(.value % 3 == 0)) | length", numbers],
        "xz": ["xz", "-2", "-k", "-c", text],
        "sleep": ["sleep", "0.3"],
        "true": ["true"],
        "ls": ["ls"],
        "static": ["busybox", "sha256sum", text],
        "asan": [asan],
        "churn": [WORKLOADS / "churn", "--steps", "3000000"],
    }


def of_check(command):
    words = [MMT, "check", "--runs", RUNS, "--json", "-", "--", *command]
    done = subprocess.run([str(one) for one in words], env=clean_environment(), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)  # fmt: skip
    if done.returncode:
        raise SystemExit(f"mmt check {command}: {done.stderr}")
    return agreement.checked_of(json.loads(done.stdout))


def of_bench(command, folder):
    output = folder / "bench.json"
    output.unlink(missing_ok=True)
    allocators = ",".join(agreement.ALLOCATORS.values())
    words = [MMT, "bench", "--allocators", allocators, "--runs", RUNS, "--json", output, "--", *command]
    done = subprocess.run([str(one) for one in words], env=clean_environment(), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)  # fmt: skip
    if output.exists() and output.stat().st_size:
        return agreement.benched_of(json.loads(output.read_text()))
    if done.returncode != 1 or "no program can be run" not in done.stderr:
        raise SystemExit(f"mmt bench {command}: {done.stderr}")
    return agreement.Benched(problem=done.stderr.strip())


def differences(name, command, folder):
    """(answer, contradictions): measures, and tells what it finds."""
    checked, benched = of_check(command), of_bench(command, folder)
    mode = agreement.LABELS[checked.mode]
    print(f"{name}: {checked.answer}, mode to take: {mode}", flush=True)
    for line in agreement.rows(checked, benched):
        print(f"  {line}", flush=True)
    found = [
        *agreement.contradictions(checked, benched, EXPECTED.get(name, ())),
        *(f"'{checked.sentence}' is false: {one}" for one in agreement.false_words(checked)),
    ]
    for one in found or ("they agree",):
        print(f"  {one}", flush=True)
    return checked.answer, found


def main():
    answers, wrong = {}, []
    with tempfile.TemporaryDirectory(prefix="check-agreement-") as scratch:
        folder = pathlib.Path(scratch)
        known = programs(folder)
        for name in sys.argv[1:] or known:
            answers[name], found = differences(name, known[name], folder)
            if found and differences(name, known[name], folder)[1]:
                wrong.append(name)
    least = min(LEAST_DECIDED, len(answers)) if not sys.argv[1:] else 0
    status, told = agreement.summary(answers, wrong, least)
    print(told)
    return status


if __name__ == "__main__":
    sys.exit(main())
