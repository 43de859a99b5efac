"""Table 1: what allocators do, found by looking at addresses and at instructions."""

from ...study.experiment import Experiment, Fact, NotCompared, Part, Relation
from ...study.relation import Between
from . import allocators
from .allocators import GLIBC_2011, HOARD, TBB, TCMALLOC
from .shapes import by_allocator, probed

KIB = 1 << 10
MIB = 1 << 20
COLUMNS = {
    "smallest": "smallest",
    "16 bytes apart": "gap_16",
    "48 bytes apart": "gap_48",
    "fast path to": "fast_path",
    "threads' first blocks apart": "first_blocks_apart",
    "aligned to": "alignment_between",
    "mapped for the second thread": "mapped_at_first",
}
LOCKED = {f"{size} bytes": f"locked_{size}" for size in (16, 64, 256, 1024, 8192)}


def _is(allocator, metric, value, what):
    return Part(what, probed(allocator, metric), Between(value, value), value, "bytes")


def _from(allocator, metric, low, high, what, paper):
    return Part(what, probed(allocator, metric), Between(low, high), paper, "bytes")


EXPERIMENT = Experiment(
    name="table-1",
    title="Attributes of the allocators, probed",
    grids=(
        by_allocator("Blocks and threads", "bytes", COLUMNS, probed),
        by_allocator("Locked instructions of a malloc and its free", "count", LOCKED, probed),
    ),
    relations=(
        Relation(
            "Glibc's least block takes 32 bytes, Hoard's 16, TBBMalloc's and TCMalloc's 8",
            tuple(
                _is(one, "smallest", value, one.name)
                for one, value in ((GLIBC_2011, 32), (HOARD, 16), (TBB, 8), (TCMALLOC, 8))
            ),
        ),
        Relation(
            "Blocks of 16 bytes lie 32 apart under Glibc alone",
            tuple(
                _is(one, "gap_16", value, one.name)
                for one, value in ((GLIBC_2011, 32), (HOARD, 16), (TBB, 16), (TCMALLOC, 16))
            ),
        ),
        Relation(
            "Blocks of 48 bytes lie 64 apart under Glibc and Hoard",
            tuple(_is(one, "gap_48", 64, one.name) for one in (GLIBC_2011, HOARD)),
        ),
        Relation(
            "Arenas are aligned to 64 MiB",
            (
                _from(GLIBC_2011, "alignment_between", 64 * MIB, 2**47, "Glibc", 64 * MIB),
                _from(HOARD, "alignment_between", 16, 32 * MIB, "Hoard, 64 KiB", 64 * KIB),
                _from(TBB, "alignment_between", 16, 32 * MIB, "TBBMalloc, 16 KiB", 16 * KIB),
            ),
        ),
        Relation(
            "Up to these sizes nothing is synchronised: Glibc always, Hoard 256 bytes, TBBMalloc below "
            "8 KiB, TCMalloc 256 KiB",
            (
                _is(GLIBC_2011, "fast_path", 0, "Glibc"),
                _from(HOARD, "fast_path", 256, 511, "Hoard", 256),
                _from(TBB, "fast_path", 4 * KIB, 8 * KIB - 1, "TBBMalloc", 8 * KIB - 1),
                _from(TCMALLOC, "fast_path", 256 * KIB, 512 * KIB - 1, "TCMalloc", 256 * KIB),
            ),
        ),
    ),
    not_compared=(
        NotCompared(
            "Table 1: metadata by block or class; Glibc's bins to 128 bytes; what a thread gets at first; "
            "where locks are",
            "probed by addresses and instructions alone: the mapping is shown, no relation asks for it",
        ),
    ),
    facts=(
        Fact("Glibc", "Debian 12's, by the C library", "2.11.1"),
        Fact("Hoard", "ours, as 3.10", "3.10"),
        Fact("TBBMalloc", "Debian 12's", "4.1"),
        Fact("TCMalloc", "Debian 12's, gperftools", "2.1"),
    ),
    notes=(
        "Everything is probed: blocks are allocated in sequence, and by two threads in turn; a pair of "
        "malloc and free is single-stepped beside another thread, and its locked instructions are "
        "counted. The fast path is the largest power of two up to which there are none.",
        allocators.NOTE,
    ),
)
