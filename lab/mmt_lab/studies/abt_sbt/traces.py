"""The traces of the study, and the paper's Table 2."""

from ...study.experiment import Program
from ...traces import programs as traced

# Benchmark: allocation requests, de-allocation requests, bytes of the average request, live megabytes.
TABLE_2 = {
    "check": (46_665, 40_991, 96, 0.82),
    "compress": (41_239, 35_849, 94, 0.77),
    "db": (43_176, 37_727, 94, 0.79),
    "jack": (80_814, 73_854, 86, 1.12),
    "javac": (132_745, 123_222, 87, 1.68),
    "jess": (81_857, 74_298, 93, 1.29),
    "mpegaudio": (97_430, 91_095, 77, 1.23),
    "mtrt": (54_682, 48_662, 91, 0.92),
}


def _trace(name, suite, *options):
    """What the simulator replays: a trace, where it is said which part of it, and options."""
    part = (f"{{traces}}/{name}-slice.json",) if suite.endswith("slice") else ()
    return Program(name, ("{replay-models}", f"{{traces}}/{name}.mtr", *part, *options), suite=suite)


SLICES = tuple(_trace(one.name, "slice") for one in traced.JAVA)
WHOLE = tuple(_trace(one.name, "whole") for one in traced.JAVA)
# The slices, as if each program asked for as many bytes at a time as the paper's.
SIZED = tuple(
    _trace(one.name, "sized slice", f"--mean-request={TABLE_2[one.name][2]}") for one in traced.JAVA
)
# Slices of the same programs, whose deaths are known sooner.
FINER = {
    precision: tuple(_trace(one.name, "slice") for one in of)
    for precision, of in traced.JAVA_FINER.items()
}
PROGRAMS = tuple(_trace(one.name, "program") for one in traced.NATIVE)
SETS = {
    "slices of Java traces": SLICES,
    "whole Java traces": WHOLE,
    "programs in C and C++": PROGRAMS,
}

NOTE = (
    "A slice has as many requests as the paper's trace, and of all windows of that length the frees and "
    "live bytes nearest to its. A death is known at most 512 KiB of allocation after it: that often "
    "a collection is forced."
)
