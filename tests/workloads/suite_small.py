#!/usr/bin/env python3
"""Runs every program of one suite on small input, with or without a library preloaded.

Each must succeed, check its own answer, and report every metric that the suite shows. Also checks
that the suite file holds no key or placeholder that docs/bench.md does not know.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITES = ROOT / "workloads" / "suites"
KEYS = {"name", "command", "runs", "pin", "metrics", "env", "input", "same_output", "package", "comment"}

# Added to the command of a suite: the last of two equal flags wins.
SMALL = {
    "growth": ["--nodes=20000", "--entries=70000", "--vectors=50", "--elements=100"],
    "rebuild": ["--nodes=20000", "--rounds=2"],
    "churn": ["--steps=50000", "--slots=1000"],
    "large": ["--steps=20", "--bytes=16M", "--largest=1M", "--buffers=2", "--rounds=1"],
    "quadtree": ["--width=64", "--steps=4"],
    "latency": ["--bytes=4M", "--rounds=2"],
    "decay": ["--bytes=8M", "--sleep-ms=10"],
    "sparse": ["--bytes=8M", "--dense=0", "--pause-us=0"],
    "idle": ["--busy-ms=20", "--sleep-ms=50"],
    "fastpath": ["--pairs=10000"],
    "words.awk": ["-v", "lines=2000"],
    "records.pl": ["2000"],
    "documents.py": ["300"],
    "objects.lua": ["3000"],
}


def small(command):
    for name in (pathlib.Path(word).name for word in command):
        if name in SMALL:
            return [*command, *SMALL[name]]
    return command


def reported(path):
    """Keys of the report file; a line is `key value unit`."""
    keys = set()
    if path.exists():
        for line in path.read_text().splitlines():
            key, value, _unit = line.split(" ")
            float(value)
            keys.add(key)
    return keys


def problem_of(program, workloads, preload):
    """What is wrong with one program of a suite, or an empty text."""
    unknown = set(program) - KEYS
    if unknown:
        return f"unknown keys {sorted(unknown)}"

    def expand(text):
        return text.replace("{workloads}", workloads).replace("{suite}", str(SUITES))

    command = small([expand(word) for word in program["command"]])
    if any("{" in word for word in command if word.startswith("{")):
        return f"unknown placeholder in {command}"
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report"
        environment = dict(os.environ, MMT_BENCH_REPORT=str(report))
        environment |= {name: expand(text) for name, text in program.get("env", {}).items()}
        if preload:
            environment["LD_PRELOAD"] = preload
        run = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                             timeout=100, check=False)
        missing = set(program.get("metrics", [])) - reported(report)
    if run.returncode != 0 or b"cannot be preloaded" in run.stderr:
        return f"status {run.returncode}: {run.stderr.decode(errors='replace')}"
    if not run.stdout:
        return "nothing on standard output"
    return f"metrics not reported: {sorted(missing)}" if missing else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--workloads", required=True, help="folder of the built programs")
    parser.add_argument("--preload", help="library to preload")
    parser.add_argument("suite", type=pathlib.Path)
    arguments = parser.parse_args()

    suite = json.loads(arguments.suite.read_text())
    assert suite["schema"] == 1 and suite["name"] == arguments.suite.stem
    failed = False
    for program in suite["programs"]:
        problem = problem_of(program, arguments.workloads, arguments.preload)
        print(f"{suite['name']}.{program['name']}: {problem or 'ok'}", flush=True)
        failed = failed or bool(problem)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
