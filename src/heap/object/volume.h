#pragma once
// The volume is how much memory threads fetch and give back. The memory thread is started once that
// is worth it. While there is none, the volume decides when the heap is looked at. Any thread may
// call these in any context.
#include <cstddef>
#include <cstdint>

namespace mmt::heap {

struct Heap;

// A thread that fetches spans or large blocks calls it.
void count_volume(Heap& heap, size_t bytes);
// A thread that gives back calls it.
void count_freed(Heap& heap, size_t bytes);
// Counts what goes either way without a memory thread. The call lets the observer look now and
// then, rarely.
void note_direct_volume(Heap& heap, size_t bytes);

// What was fetched so far, in bytes; 0 while the heap is closed.
uint64_t fetched_volume(const Heap& heap);
// This volume decides whether a memory thread is due. A process that only frees, as a fork's child
// may, wants its memory given back. Other processes fetch more than they free.
uint64_t telling_volume(const Heap& heap);

}  // namespace mmt::heap
