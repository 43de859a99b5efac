"""The general-purpose allocators of the paper's Section 6, by the paper's names."""

from ...study.experiment import Allocator

# The C library's malloc grew out of Lea's 2.7.0. Without its thread caches, which came much later,
# it is the nearest to the original that is still maintained.
LEA = Allocator("Lea", environment=(("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0"),))
LEA_HEAP = Allocator("LeaHeap", "libmmt-lea.so")
KINGSLEY = Allocator("Kingsley", "libmmt-kingsley-by-hand.so")
KINGSLEY_HEAP = Allocator("KingsleyHeap", "libmmt-kingsley.so")
KINGSLEY_COALESCING = Allocator("KingsleyHeap + coal.", "libmmt-kingsley-coalescing.so")

ALL = (KINGSLEY, KINGSLEY_HEAP, KINGSLEY_COALESCING, LEA, LEA_HEAP)

NOTE = (
    "Lea is the C library's malloc with its thread caches off "
    "(GLIBC_TUNABLES=glibc.malloc.tcache_count=0); Kingsley is written by hand, in one piece."
)
# Why relations may not hold.
LEA_OF_TODAY = "Lea here is the C library's malloc of today, which grew out of the paper's"
EQUAL_STEPS = (
    "Lea and LeaHeap grow by the same 128 KiB: four of six programs ask both for the same, and compare the step"
)
STEP_BEYOND_ROBOOP = "Lea and LeaHeap ask for 132 KiB at once, ten times what roboop has in use"
