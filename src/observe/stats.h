#pragma once
// The figures of stats_page.h, and the page itself. Nothing here allocates.
#include <cstddef>
#include <cstdint>

#include "interprocess/stats_page.h"
#include "observe/census.h"

namespace mmt::heap {
struct Heap;
}  // namespace mmt::heap

namespace mmt::observe {

using heap::Heap;

// Collects all figures into values[0 .. Stat::kCount). Any thread but the memory thread may call
// it, one at a time.
void collect_stats(Heap& heap, uint64_t* values);

// A census with the depot lock held throughout, by the calling thread, which is not the memory one.
void collect_census(Heap& heap, Census* census);

// Writes fresh figures into the page. False: another thread is at it, and nothing is done. `self`
// is the caller's identity for the depot lock; its signals are blocked (or it is the memory
// thread). `resident`: what was found to be in memory, in bytes, which takes long to ask.
bool refresh_page(Heap& heap, uint32_t self, CensusLock lock, uint64_t resident = 0);

// Once, from the library's constructor: the page is written from now on. The memory thread writes
// it when it goes to rest and at most every 50 ms while it works. Other threads write it when there
// is no memory thread. False: there is no memory for a heap, and it is not.
bool keep_page_fresh(Heap& heap);

// In each fork's child from then on, once the heap has seen to itself there.
void renew_page_in_child(Heap& heap);

// Once, as the process ends, on a thread of the program: the last figures, which are exact.
void finish_page(Heap& heap);

// What the page's owner shows; for tests.
const StatsPage& stats_page();

}  // namespace mmt::observe
