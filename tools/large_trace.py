#!/usr/bin/env python3
"""A trace of many events, from its recording to its page: what each step takes, beside its limit.

    make && tools/large_trace.py                                  100 million events
    tools/large_trace.py 2000000                                  two million: a try
    tools/large_trace.py --csv docs/studies/large-trace.csv       keep the figures

gawk counts words (workloads/scripts/words.awk), with as many lines as make so many events, under
`mmt trace`. `mmt simulate` replays the trace with the paper's twelve, on two CPUs, and writes a
page. chromium opens it, looks at each model, and takes a picture. Trace, page and picture stay in
build/large-trace. The exit status is 1 where a limit is not met.

Time and memory are those of all processes together; tree_memory.py says how memory is told, and
page_opening.py what is timed in the page.
"""

import argparse
import csv
import dataclasses
import io
import pathlib
import signal
import subprocess
import sys
import time
from os import sched_getaffinity, sched_setaffinity

import page_opening
import tree_memory

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lab"))
from mmt_lab.command.failure import Failure  # noqa: E402
from mmt_lab.text.output_file import OutputFile  # noqa: E402
from mmt_lab.text.units import in_words  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
GAWK = "/usr/bin/gawk"
EVENTS_A_LINE = 174  # at least; short texts have more, whose words are seldom known yet
CPUS = 2
MODELS = 12
MEMORY, SECONDS, OPENS = 24 << 30, 3600.0, 3.0  # the limits


class Trouble(Exception):
    """Why there are no more figures, in one line."""


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    value: float
    unit: str  # of mmt_lab's units.py
    limit: float | None = None
    at_least: bool = False  # the limit is one from below

    @property
    def is_met(self):
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def __str__(self):
        text = f"{self.name:34} {in_words(self.value, self.unit):>22}"
        if self.limit is None:
            return text
        bound = f"{'at least' if self.at_least else 'at most'} {in_words(self.limit, self.unit)}"
        return f"{text}   {bound}: {'met' if self.is_met else 'NOT MET'}"


class Figures:
    """Rows, shown as they come."""

    def __init__(self):
        self.rows = []

    def add(self, *values, **more):
        self.rows.append(Row(*values, **more))
        print(self.rows[-1], flush=True)

    def table(self):
        """In the columns of a study's results, which study_tables.py reads."""
        text = io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        out.writerow("experiment table row column unit median low high samples paper".split())
        for one in self.rows:
            columns = (("here", one.value), ("limit", one.limit))
            for column, value in columns:
                if value is not None:
                    number = f"{value:.6g}" if one.unit in ("s", "ratio") else f"{value:.0f}"
                    out.writerow(("large-trace", "A large trace", one.name, column, one.unit,
                                  number, number, number, 1, ""))  # fmt: skip
        return text.getvalue()


def run(words, log):
    """Seconds that it takes. What it says goes to our standard error, what it prints into `log`."""
    begun = time.monotonic()
    with open(log, "w", encoding="utf-8") as file:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file)
        try:
            status = process.wait()
        finally:
            if process.poll() is None:  # it ends what it started
                process.terminate()
                process.wait()
    if status:
        raise Trouble(f"'{' '.join(map(str, words[:3]))} ...' ended with {status}")
    return time.monotonic() - begun


def record(mmt, events, trace):
    lines = -(-events // EVENTS_A_LINE)  # rounded up
    words = ["-v", f"lines={lines}", "-f", ROOT / "workloads/scripts/words.awk"]
    return run([mmt, "trace", "-o", trace, "--", GAWK, *words], trace.with_suffix(".txt"))


def simulate(mmt, trace, page, table):
    """(seconds, events that each of the models replayed)"""
    words = [mmt, "simulate", trace, "--html", page, "--csv", table, "--jobs", str(CPUS)]
    seconds = run(words, page.with_suffix(".txt"))
    with open(table, newline="", encoding="utf-8") as file:
        replayed = [int(row["events"]) for row in csv.DictReader(file)]
    if len(replayed) != MODELS or len(set(replayed)) != 1:
        raise Trouble(f"not {MODELS} models replayed the trace whole, see {table}")
    return seconds, replayed[0]


def measure(mmt, wanted, folder, figures):
    trace, page = folder / "gawk.mtr", folder / "page.html"
    with tree_memory.Watch() as recording:
        to_record = record(mmt, wanted, trace)
    figures.add("recorded in", to_record, "s")
    figures.add("peak memory while recording", recording.peak, "bytes")
    size = trace.stat().st_size
    figures.add("size of the trace", size, "bytes")
    with tree_memory.Watch() as replaying:
        to_simulate, events = simulate(mmt, trace, page, folder / "models.csv")
    figures.add("events", events, "count", wanted, at_least=True)
    figures.add("bytes an event", size / events, "ratio")
    figures.add(f"simulated and reported, {MODELS} models", to_simulate, "s")
    figures.add("recorded, simulated, reported", to_record + to_simulate, "s", SECONDS)
    figures.add("peak memory of all processes", max(recording.peak, replaying.peak), "bytes", MEMORY)
    figures.add("size of the page", page.stat().st_size, "bytes")
    opened = page_opening.Opened(page, folder / "page.png")
    figures.add("page: first text painted", opened.paint, "s", OPENS)
    figures.add("page: loaded", opened.load, "s", OPENS)
    figures.add("page: charts in the window drawn", opened.shown, "s", OPENS)
    figures.add("page: the others drawn, too", opened.drawn, "s")
    figures.add("page: slowest model shown", opened.model, "s", OPENS)
    figures.add("page: charts", opened.charts, "count")
    figures.add("page: elements", opened.elements, "count")
    figures.add("page: errors of the console", len(opened.errors), "count", 0)
    for one in opened.errors:
        print(f"  {one}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("events", nargs="?", type=int, default=100_000_000, help="at least so many [100000000]")
    parser.add_argument("--mmt", type=pathlib.Path, default=ROOT / "build/release/bin/mmt", help="the command to run")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/large-trace", help="folder of what is made")
    parser.add_argument("--csv", help="write the figures there, too")
    options = parser.parse_args()
    if options.events < 1:
        parser.error("events: at least 1")
    needed = ((options.mmt, "make"), (pathlib.Path(GAWK), "tools/install_packages.sh demo"),
              (pathlib.Path(page_opening.CHROMIUM), "tools/install_packages.sh test"))  # fmt: skip
    for path, brings in needed:
        if not path.is_file():
            parser.error(f"there is no '{path}': '{brings}' brings it")
    try:  # not only an hour later
        options.csv = OutputFile(options.csv) if options.csv else None
    except Failure as failure:
        parser.error(str(failure))
    return options


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    cpus = sorted(sched_getaffinity(0))[:CPUS]
    sched_setaffinity(0, cpus)
    print(f"{options.events:,} events on {len(cpus)} CPU{'' if len(cpus) == 1 else 's'}, into {options.output}")
    figures = Figures()
    trouble = None
    try:
        options.output.mkdir(parents=True, exist_ok=True)
        measure(options.mmt, options.events, options.output, figures)
        if options.csv:
            options.csv.write(figures.table())
    except (Failure, Trouble, page_opening.Trouble, OSError) as error:
        trouble = error
    print("\n" + "\n".join(map(str, figures.rows)))
    if trouble:
        print(f"large_trace.py: {trouble}", file=sys.stderr)
    return 1 if trouble or not all(one.is_met for one in figures.rows) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
