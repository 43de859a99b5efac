"""Figure 6: the sorted list with a shift of 4, against one of 5."""

from ...study.experiment import Experiment, NotCompared, Part, Relation
from ...study.quantity import GeometricMean, Ratio
from ...study.relation import AtLeast, AtMost
from . import allocators, programs
from .allocators import DENSE, GLIBC_2011
from .settings import OursAlone
from .shapes import by_threads, fewer_aborts, throughput

FINER = {threads: programs.synthetic("list", threads, shift=4) for threads in programs.THREADS}
USUAL = {threads: programs.synthetic("list", threads) for threads in programs.THREADS}


def _speedup(threads, allocator):
    return Ratio(throughput(FINER[threads], allocator), throughput(USUAL[threads], allocator))


def _less(threads, allocator):
    return fewer_aborts(
        programs.interleaved("list", threads),
        programs.interleaved("list", threads, shift=4),
        allocator,
    )


def _faster_but_glibc(threads, prefix=""):
    yield from (Part(f"{prefix}{one.name}", _speedup(threads, one), AtLeast(1.0)) for one in DENSE)
    yield Part(f"{prefix}Glibc", _speedup(threads, GLIBC_2011), AtMost(1.0))


EXPERIMENT = Experiment(
    name="figure-6",
    title="Sorted list: a shift of 4 against one of 5",
    grids=(
        by_threads("Throughput, base: shift 5", "ratio", _speedup),
        by_threads("Aborts that a shift of 4 avoids, of all attempts", "share", _less),
    ),
    relations=(
        Relation(
            "A shift of 4 avoids aborts for nodes of 16 bytes",
            tuple(
                Part(f"{threads} threads, {one.name}", _less(threads, one), AtLeast(0.02), None, "share")
                for threads in (2, 8)
                for one in DENSE
            ),
        ),
        Relation(
            "For Glibc's of 32 it avoids none",
            tuple(
                Part(f"{threads} threads", _less(threads, GLIBC_2011), AtMost(0.02), None, "share")
                for threads in (2, 8)
            ),
        ),
        Relation(
            "It makes the others faster with 8 threads, Glibc slower",
            tuple(_faster_but_glibc(8)),
            reason=programs.LITTLE_OVERLAP,
        ),
        OursAlone(
            "It makes the others faster with 4 and 6 threads, Glibc slower",
            tuple(part for threads in (4, 6) for part in _faster_but_glibc(threads, f"{threads} threads, ")),
            reason=programs.LITTLE_OVERLAP,
        ),
        Relation(
            "With one thread all are slower",
            tuple(Part(one.name, _speedup(1, one), AtMost(1.0)) for one in allocators.FOUR),
        ),
        Relation(
            "With one thread the four are slower in their geometric mean",
            (Part("geometric mean", GeometricMean(tuple(_speedup(1, one) for one in allocators.FOUR)), AtMost(1.0)),),
        ),
    ),
    notes=(programs.INTERLEAVED_NOTE, allocators.NOTE, programs.NOTE),
    not_compared=(
        NotCompared(
            "A shift of 4 misses the first level more often",
            "the paper has no numbers; caches are simulated for a shift of 5 alone",
        ),
    ),
)
