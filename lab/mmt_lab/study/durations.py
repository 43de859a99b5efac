"""How long studies take, about: for --list, and to refuse a budget that cannot be kept before anything
is measured. Seconds of one run on the C library's allocator, on a machine of two CPUs of 2024.
"""

from .experiment import Inputs, Kind

_SECONDS = {
    "cfrac": 0.25,
    "cfrac, short": 0.09,
    "cfront_functions": 0.32,
    "cfront_inline_c": 0.32,
    "cfront_layered": 0.31,
    "cfront_layered_freelist": 0.31,
    "cfront_macros": 0.34,
    "deltablue": 0.34,
    "deltablue, short": 0.11,
    "espresso": 2.2,
    "gawk": 2.1,
    "gawk, short": 0.63,
    "lindsay": 1.1,
    "lrusim": 1.1,
    "mst": 0.26,
    "mst, short": 0.13,
    "parser_inlined": 0.51,
    "parser_layered": 0.52,
    "parser_layered_functions": 0.56,
    "parser_monolithic": 0.56,
    "parser_system": 1.1,
    "perimeter": 0.16,
    "perimeter, short": 0.08,
    "perl": 3.2,
    "roboop": 1,
    "roboop, short": 0.1,
    "treeadd": 0.2,
    "treeadd, short": 0.1,
    "primitives": 0.5,
}
# A simulation of a trace, by what it is a trace of; two at once.
_SIMULATIONS = {"slice": 0.1, "sized slice": 0.1, "program": 0.5, "whole": 0.5}
# This holds for programs that are not in the table, and for all programs on small inputs.
_SHORT = 0.05
# What a way of looking at a run makes of its time.
_FACTORS = {Kind.SAMPLED: 1.2, Kind.REQUESTED: 1.2, Kind.COUNTED: 1.5, Kind.MISSES: 40.0, Kind.CACHES: 40.0,
            Kind.TOUCHED: 5.0}  # fmt: skip
# The measuring process, and the proof of a warm-up.
_BESIDE = 0.02


def of_run(run, inputs=Inputs.DEFAULT):
    if run.kind is Kind.SIZED:
        return _BESIDE
    if run.kind.is_simulated:
        return _SIMULATIONS.get(run.program.suite, _SHORT) * _FACTORS.get(run.kind, 1.0)
    known = run.program.seconds or _SECONDS.get(run.program.name, _SHORT)
    by_inputs = {Inputs.SMALL: min(known, _SHORT), Inputs.SHORT: run.program.short_seconds or known}
    seconds = by_inputs.get(inputs, known)
    return seconds * _FACTORS.get(run.kind, 1.0) + _BESIDE


def of_runs(runs, rounds, inputs=Inputs.DEFAULT):
    """Seconds of a study: what is measured once, the warm-up, and so many rounds."""
    once = sum(of_run(one, inputs) for one in runs if not one.kind.is_repeated)
    repeated = sum(of_run(one, inputs) for one in runs if one.kind.is_repeated)
    return once + repeated * (rounds + 1)


def in_words(seconds):
    """"40 s", "12 minutes"."""
    if seconds < 60:
        return f"{max(seconds, 1):.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} minute{'' if minutes == 1 else 's'}"
