"""Figure 3: pairs of malloc and free, by the size of blocks."""

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtMost, Between
from . import allocators, programs
from .allocators import GLIBC_2011, HOARD, TBB, TCMALLOC
from .shapes import at_least, by_row, throughput

SIZES = (16, 64, 128, 256, 512, 2048, 8192)
PROGRAMS = {str(size): programs.threadtest(8, size) for size in SIZES}


def _drop(allocator, small, large):
    return Ratio(
        throughput(PROGRAMS[str(small)], allocator), throughput(PROGRAMS[str(large)], allocator)
    )


def _against(size, one, other):
    return Ratio(throughput(PROGRAMS[str(size)], one), throughput(PROGRAMS[str(size)], other))


EXPERIMENT = Experiment(
    name="figure-3",
    title="threadtest: pairs a second by size of block, 8 threads",
    grids=(by_row(f"Pairs, {programs.count_of(8)}", "per_s", "bytes", PROGRAMS, throughput),),
    relations=(
        Relation(
            "TCMalloc does worse with 16 bytes, whose lines its threads share",
            (at_least("64 bytes over 16", _drop(TCMALLOC, 64, 16), 1.1),),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "With 16 bytes TCMalloc is behind Hoard and TBBMalloc",
            tuple(
                Part(f"16 bytes, TCMalloc over {one.name}", _against(16, TCMALLOC, one), AtMost(1.0))
                for one in (HOARD, TBB)
            ),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "From 64 bytes TCMalloc is the best of the four",
            tuple(
                at_least(f"{size} bytes, against {one.name}", _against(size, TCMALLOC, one), 1.0)
                for size in SIZES[1:]
                for one in (GLIBC_2011, HOARD, TBB)
            ),
        ),
        Relation(
            "Hoard performs well up to 256 bytes",
            tuple(
                at_least(f"{size} bytes, Hoard over Glibc", _against(size, HOARD, GLIBC_2011), 1.5)
                for size in SIZES
                if size <= 256
            ),
        ),
        Relation(
            "Hoard falls beyond 256 bytes, to a level very close to Glibc's",
            (
                at_least("256 bytes over 512", _drop(HOARD, 256, 512), 1.5),
                Part("512 bytes, Glibc over Hoard", _against(512, GLIBC_2011, HOARD), Between(0.8, 1.25)),
            ),
            reason=programs.LITTLE_WAITING,
        ),
        Relation(
            "TBBMalloc keeps its rate until slightly less than 8 KiB",
            (
                at_least("2048 bytes over 16", _drop(TBB, 2048, 16), 0.8),
                at_least("2048 bytes over 8192", _drop(TBB, 2048, 8192), 1.5),
            ),
        ),
    ),
    notes=(
        "False sharing needs threads that run at once: two do on two CPUs.",
        allocators.NOTE,
        programs.NOTE,
    ),
)
