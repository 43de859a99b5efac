#pragma once
// Blocks that a thread has no room for go to the depot. They go over its channel, as offsets, or by
// the caches of CPUs, or the client puts them back itself. The client's thread calls all of it,
// inside an Entry.
#include "heap/object/client.h"

namespace mmt::heap {

// Gives `count` blocks of class `c` back; they are nobody's after the call. Inside an Entry, which
// it marks as rebuilding the class's cache from the moment on when the first of them is given.
void give_back(Client& client, SizeClass c, void* const* blocks, size_t count);

// A long batch is handed over by the thread's next one, when its stores have long left the core.
// This hands it over now: before the thread ends, or when all memory is gathered. The client's
// thread calls it.
void hand_over_held(Client& client);

}  // namespace mmt::heap
