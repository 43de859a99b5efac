"""The paper's four allocators, as they are today and, where that is another, as the paper had them;
today's others, and ours."""

from ...study.experiment import Allocator

# As Debian 12 has them.
_SYSTEMS = "/usr/lib/x86_64-linux-gnu/"

GLIBC = Allocator("glibc")
# Version 2.11.1 had no caches of threads.
GLIBC_2011 = Allocator(
    "glibc, no tcache", environment=(("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0"),)
)
# Version 3.10: powers of two, spin locks, blocks of a thread's own to 256 bytes.
HOARD = Allocator("Hoard", "libmmt-hoard-3.so")
HOARD_2000 = Allocator("Hoard of 2000", "libmmt-hoard.so")
TBB = Allocator("TBBMalloc", f"{_SYSTEMS}libtbbmalloc_proxy.so.2")
TCMALLOC = Allocator("TCMalloc", f"{_SYSTEMS}libtcmalloc_minimal.so.4")
JEMALLOC = Allocator("jemalloc", f"{_SYSTEMS}libjemalloc.so.2")
MIMALLOC = Allocator("mimalloc", f"{_SYSTEMS}libmimalloc.so.2")
OURS = Allocator("mmt", "libmmt.so")

# What stands for each of the paper's, in its order.
PAPERS = {"Glibc": GLIBC_2011, "Hoard": HOARD, "TBBMalloc": TBB, "TCMalloc": TCMALLOC}
FOUR = tuple(PAPERS.values())
ALL = (GLIBC, *FOUR, HOARD_2000, JEMALLOC, MIMALLOC, OURS)
NAMES = tuple(one.name for one in ALL)
# Those whose nodes of 16 bytes lie next to each other.
DENSE = (HOARD, TBB, TCMALLOC)

NOTE = (
    "The paper's Glibc is the C library's malloc without its thread caches, which came later "
    "(GLIBC_TUNABLES=glibc.malloc.tcache_count=0). Its Hoard 3.10 is a composition of ours that has that "
    "one's classes, spin locks and private blocks; beside it stands Hoard as first published. TBBMalloc, "
    "TCMalloc, jemalloc and mimalloc are Debian 12's."
)
