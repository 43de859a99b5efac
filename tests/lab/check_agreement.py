"""Whether `mmt check` and `mmt bench` agree, on programs of every kind: a table, and status 1 when
they do not. For a machine that does nothing else. Names on the command line choose programs.

They agree when both say that MMT cannot serve a program, when both call it faster, slower or
neither, or when their intervals have a ratio in common: then each allows what the other says. The
sentence of `mmt check` has to be true of its own figures, too.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from lab_support import MMT, ROOT, clean_environment

SCRIPTS = ROOT / "workloads" / "scripts"
WORKLOADS = MMT.parent.parent / "workloads"
RUNS = 7
WORTH = 0.02  # as `mmt check` has it
FEW = 1000  # allocations, as it has it
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


def kind_of(speed, low, high):
    if low > 1 and speed >= 1 + WORTH:
        return "faster"
    return "slower" if high < 1 and speed <= 1 - WORTH else "even"


def of_check(command):
    """(kind, (speed, low, high) or None, all it told) of the native heap."""
    words = [MMT, "check", "--runs", RUNS, "--json", "-", "--", *command]
    done = subprocess.run([str(one) for one in words], env=clean_environment(), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)  # fmt: skip
    if done.returncode:
        raise SystemExit(f"mmt check {command}: {done.stderr}")
    told = json.loads(done.stdout)
    figures = told.get("modes", {}).get("native")
    if figures is None:
        return "cannot", None, told
    found = (figures["speed"], *figures["interval"])
    return kind_of(*found), found, told


def false_words(told):
    """What the sentence says that the figures do not; empty: it is true."""
    sentence, modes = told["sentence"], told.get("modes", {})
    mode = "glibc" if "--backend glibc" in sentence else told["mode"] or "native"
    quoted = re.search(r"([\d.]+) times as fast", sentence)
    if quoted and quoted[1] != f"{modes[mode]['speed']:.2f}":
        return f"'{quoted[0]}' is not of {mode}"
    calls = told.get("calls")
    if "This program allocates" in sentence and calls and calls["allocations"] < FEW:
        return f"it allocates {calls['allocations']} times"
    kinds = [kind_of(one["speed"], *one["interval"]) for one in modes.values()]
    if "makes it slower" in sentence and set(kinds) != {"slower"}:
        return "not all modes are slower"
    return "no mode is faster" if "gains" in sentence and "faster" not in kinds else ""


def of_bench(command, folder):
    """The same, without an answer: `mmt bench` gives the ratio of times."""
    output = folder / "bench.json"
    output.unlink(missing_ok=True)
    words = [MMT, "bench", "--allocators", "mmt,glibc", "--runs", RUNS, "--json", output, "--", *command]
    subprocess.run([str(one) for one in words], env=clean_environment(), stdin=subprocess.DEVNULL,
                   capture_output=True, text=True, check=False)  # fmt: skip
    if not output.exists():
        return "cannot", None
    cells = json.loads(output.read_text())["programs"][0]["cells"]
    mine = next((one for one in cells if one["allocator"] == "mmt"), None)
    if mine is None or mine["problem"]:
        return "cannot", None
    ratio = mine["metrics"]["wall"]["to_glibc"]
    found = tuple(1 / ratio[name] for name in ("median", "high", "low"))
    return kind_of(*found), found


def agree(check, bench):
    if check[0] == bench[0]:
        return True
    if check[1] is None or bench[1] is None:
        return False
    return max(check[1][1], bench[1][1]) <= min(check[1][2], bench[1][2])


def in_words(kind, found):
    return kind if found is None else f"{kind} {found[0]:.2f} ({found[1]:.2f} to {found[2]:.2f})"


def main():
    failures = 0
    with tempfile.TemporaryDirectory(prefix="check-agreement-") as name:
        folder = pathlib.Path(name)
        known = programs(folder)
        print(f"{'program':10}{'mmt check':34}{'its answer':12}{'mmt bench':30}agree")
        for name in sys.argv[1:] or known:
            *check, told = of_check(known[name])
            bench = of_bench(known[name], folder)
            same, false = agree(check, bench), false_words(told)
            failures += not same or bool(false)
            words = f"{name:10}{in_words(*check):34}{told['answer']:12}{in_words(*bench):30}"
            print(words + ("yes" if same else "NO"), flush=True)
            if false:
                print(f"{'':10}{told['sentence']} FALSE: {false}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
