"""The ways to look at a run. Each takes a Bench and a run and gives {metric: value}; RunFailed says
why there is none.

    timed      cpu, wall (s), peak_rss (bytes), minor_faults, major_faults, and what the program
               reported itself, as reported.KEY
    requested  requested, requested_by_break (bytes)
    counted    objects, operations, bytes, peak_bytes, mean_size
    exact      what the program reported itself, as reported.KEY
    caches     references, l1_misses, llc_misses of data
    sized      text, data (bytes)
    sampled    sampled, allocator, own, libc, library, protocol, kernel (s): sampling.py
    misses     llc_misses, tlb_misses, branch_misses: cache_misses.py
    calls      malloc_calls, malloc_call_p50 and others, the same for free: src/cli's call_times.h
    simulated, touched  the simulator's figures: simulation.py
"""

import json
import os
import shutil
import subprocess

from . import cache_misses, requested_memory, runs, sampling, simulation
from ..study.experiment import Kind
from .launcher import RunFailed
from .runs import Bench

STATISTICS_LIBRARY = "libmmt-statistics.so"
# libstdc++ takes one block at start, to throw from when memory has run out. It is the runtime's,
# not the program's, and larger than all that some programs have.
EMERGENCY_BYTES = 72_704


def _timed(bench, run):
    report = bench.launcher.folder / "report"
    report.unlink(missing_ok=True)
    answer = runs.run_once(bench, run, {"MMT_BENCH_REPORT": str(report)})
    metrics = {name: float(answer[name]) for name in runs.MEASURED}
    text = report.read_text(encoding="utf-8", errors="replace") if report.exists() else ""
    for key, value, unit in runs.reported(text):
        metrics |= bench.units.taken(key, value, unit)
    return metrics


def _exact(bench, run):
    bench.proofs.of_allocator(run.allocator)
    metrics = _timed(bench, run)
    return {name: value for name, value in metrics.items() if name not in runs.MEASURED}


def _caches(bench, run):
    bench.proofs.of_allocator(run.allocator)
    output = bench.launcher.folder / "caches"
    output.unlink(missing_ok=True)
    tool = cache_misses.simulator(cache_misses.CACHES, output)
    variables = bench.proofs.environment(run.allocator)
    bench.launcher.run([*tool, *bench.command(run.program)], variables)
    return cache_misses.simulated(cache_misses.CACHES, _text_of(output))


def _calls(bench, run):
    """Only the calls of this run are taken: timing them takes time."""
    calls = str(bench.launcher.folder / "calls")
    try:
        # Seen to the end: that is slowed, not its calls.
        answer = runs.run_once(bench, run, {}, calls=calls, observe=True)
        bench.proofs.of_run(
            run.allocator, answer, bench.installation.library(runs.LATENCY_LIBRARY)
        )
    except RunFailed as failure:
        raise RunFailed(f"with its calls timed: {failure}") from None
    if "calls" not in answer:
        raise RunFailed(
            f"its calls could not be timed: {runs.LATENCY_LIBRARY} was not loaded into it"
        )
    metrics = {}
    for key, one in answer["calls"]["values"].items():
        metrics |= bench.units.taken(key, one["value"], one["unit"])
    return metrics


def _requested(bench, run):
    if not shutil.which("strace"):
        raise RunFailed("there is no strace (apt-get install strace)")
    bench.proofs.of_allocator(run.allocator)
    log = bench.launcher.folder / "strace"
    variables = bench.proofs.environment(run.allocator)
    tracer = ["strace", *requested_memory.OPTIONS, "-o", str(log)]
    tracer += ["-e", f"trace={requested_memory.CALLS}"]
    # For the program alone: strace itself shall not run on the allocator.
    tracer += [word for name, value in variables.items() for word in ("-E", f"{name}={value}")]
    bench.launcher.run([*tracer, "--", *bench.command(run.program)], {})
    with open(log, encoding="utf-8", errors="replace") as lines:
        requested = requested_memory.parse(lines)
    log.unlink()
    _check_mapped(bench, run, requested.files)
    if requested.peak == 0:
        raise RunFailed("it was not seen to ask for any memory")
    return {
        "requested": float(requested.peak),
        "requested_by_break": float(requested.by_break),
        "requests": float(requested.calls),
    }


def _check_mapped(bench, run, files):
    if not run.allocator.library:
        return
    path = bench.installation.library(run.allocator.library)
    if not any(os.path.exists(one) and os.path.samefile(one, path) for one in files):
        raise RunFailed(f"'{path}' was not loaded into it")


def _counted(bench, run):
    library = bench.installation.library(STATISTICS_LIBRARY)
    if not library.exists():
        raise RunFailed(f"there is no library '{library}'")
    page = bench.launcher.folder / "statistics"
    page.unlink(missing_ok=True)
    variables = {"LD_PRELOAD": str(library), "MMT_STATISTICS_FILE": str(page)}
    answer = bench.launcher.run(bench.command(run.program), variables, observe=True)
    try:
        counts = json.loads(page.read_text(encoding="utf-8"))
        objects, operations = counts["objects"], counts["operations"]
        total, peak = counts["bytes"], counts["peak_bytes"]
    except (OSError, ValueError, KeyError) as error:
        raise RunFailed(f"{STATISTICS_LIBRARY} wrote no counts ({error!r})") from None
    if any(os.path.basename(one).startswith("libstdc++.so") for one in answer["files"]):
        objects, operations = objects - 1, operations - 1
        total, peak = total - EMERGENCY_BYTES, peak - EMERGENCY_BYTES
    if objects < 1 or peak < 1:
        raise RunFailed(f"{STATISTICS_LIBRARY} counted {objects} objects, {peak} bytes at most")
    return {
        "objects": float(objects),
        "operations": float(operations),
        "bytes": float(total),
        "peak_bytes": float(peak),
        "mean_size": total / objects,
    }


def _sized(bench, run):
    if not shutil.which("size"):
        raise RunFailed("there is no size (apt-get install binutils)")
    path = bench.command(run.program)[0]
    done = subprocess.run(
        ["size", "--format=berkeley", path], capture_output=True, text=True, check=False
    )
    try:
        text, data = done.stdout.splitlines()[1].split()[:2]
        return {"text": float(text), "data": float(data)}
    except (IndexError, ValueError):
        raise RunFailed(f"size says: {done.stderr.strip() or done.stdout.strip()}") from None


def _sampled(bench, run):
    if not run.allocator.library:
        raise RunFailed("samples cannot tell the C library's malloc from its other functions")
    bench.proofs.of_allocator(run.allocator)
    data = bench.launcher.folder / "samples"
    variables = bench.proofs.environment(run.allocator)
    # For the program alone: perf itself shall not run on the allocator.
    setter = ["env", *(f"{name}={value}" for name, value in variables.items())]
    bench.launcher.run([*sampling.recorder(data), *setter, *bench.command(run.program)], {})
    paths = [str(bench.installation.library(one)) for one in run.allocator.libraries]
    part_of = sampling.sorter(
        library=paths[-1], protocol=paths[0] if run.allocator.protocol else ""
    )
    metrics = sampling.sort(sampling.read(data), part_of)
    data.unlink()
    return metrics


def _misses(bench, run):
    bench.proofs.of_allocator(run.allocator)
    variables = bench.proofs.environment(run.allocator)
    command = bench.command(run.program)
    simulations = cache_misses.SIMULATIONS
    # What counts and where it writes: the hardware once, or simulations, which need not wait for
    # each other.
    outputs = [bench.launcher.folder / f"misses-{number}" for number in range(len(simulations))]
    for output in outputs:
        output.unlink(missing_ok=True)
    if cache_misses.has_counters():
        bench.launcher.run([*cache_misses.counter(outputs[0]), *command], variables)
        return cache_misses.counted(_text_of(outputs[0]))
    tools = map(cache_misses.simulator, simulations, outputs)
    bench.launcher.run_together([[*tool, *command] for tool in tools], variables)
    metrics = {}
    for simulation, output in zip(simulations, outputs, strict=True):
        metrics |= cache_misses.simulated(simulation, _text_of(output))
    return metrics


def _simulated(bench, run):
    words = bench.installation.command(run.program, bench.inputs)
    more = ["--touches"] if run.kind is Kind.TOUCHED else []
    return simulation.measure(words, [run.allocator.name, *more], bench.launcher.time_limit)


def _text_of(path):
    return path.read_text(encoding="utf-8", errors="replace")


_INSTRUMENTS = {
    Kind.TIMED: _timed,
    Kind.EXACT: _exact,
    Kind.CACHES: _caches,
    Kind.CALLS: _calls,
    Kind.REQUESTED: _requested,
    Kind.COUNTED: _counted,
    Kind.SIZED: _sized,
    Kind.SAMPLED: _sampled,
    Kind.MISSES: _misses,
    Kind.SIMULATED: _simulated,
    Kind.TOUCHED: _simulated,
}


def measure(bench, run):
    return _INSTRUMENTS[run.kind](bench, run)
