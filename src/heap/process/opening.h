#pragma once
// A heap opens at its first use, in whatever context that happens.
#include "heap/object/heap.h"

namespace mmt::heap {

// Opens the heap if it is closed. False when that cannot be done for want of memory.
bool open_heap(Heap& heap);

// The program has asked for memory to be kept. The memory that calls touch beside its blocks is
// made resident, with clients for the calling thread and for some threads to come.
void prepare_for_no_faults(Heap& heap);

}  // namespace mmt::heap
