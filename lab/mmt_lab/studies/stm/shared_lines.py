"""Section 5.2: nodes of the hash set that lie 16 bytes apart share lines under TCMalloc. NOrec has no locks
by address, so that what padding gains there is of lines alone.
"""

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtLeast
from . import allocators, programs
from .allocators import FOUR, TCMALLOC
from .shapes import by_threads, throughput

THREADS = (1, 2, 8)
MORE = 1.02  # the paper has no number


def _gain(threads, allocator):
    def speed(**options):
        return throughput(programs.synthetic("hash", threads, design="norec", **options), allocator)

    return Ratio(speed(pad=64), speed())


EXPERIMENT = Experiment(
    name="shared-lines",
    title="Hash set without locks by address: blocks padded to lines of their own",
    grids=(
        by_threads(
            "Speed with padded blocks, base: as they are", "ratio", _gain, of=FOUR, threads=THREADS
        ),
    ),
    relations=(
        Relation(
            "Hash set: with TCMalloc nodes of several threads share lines, which costs throughput",
            tuple(
                Part(f"{threads} threads", _gain(threads, TCMALLOC), AtLeast(MORE))
                for threads in THREADS[1:]
            ),
            reason=programs.LITTLE_WAITING,
        ),
    ),
    notes=(
        f"A loss is seen where padding gains at least {MORE - 1:.0%}. What shared stripes cost: `attribution`.",
        allocators.NOTE,
        programs.NOTE,
    ),
)
