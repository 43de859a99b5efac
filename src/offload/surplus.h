#pragma once
// The blocks that a thread frees go into its cache. Blocks from a cache that is full go to the
// depot: over the channel, as offsets, or put back by the client itself.
#include "offload/client.h"

namespace mmt::offload {

// The calling thread frees a block of class `c`, without the fast path.
void put_away(Heap& heap, void* block, SizeClass c);

// The cache of class `c` is full: it is widened, or its older three quarters are given back. There
// is room then, but in a cache that may hold nothing. Inside an Entry.
void flush(Client& client, SizeClass c);

// Gives `count` blocks of class `c` back; they are nobody's after the call. Inside an Entry, which
// it marks as rebuilding the class's cache from the moment on when the first of them is given.
void give_back(Client& client, SizeClass c, void* const* blocks, size_t count);

// A long batch is handed over by the thread's next one, when its stores have long left the core.
// This hands it over now: before the thread ends, or when all memory is gathered. By the client's
// thread.
void hand_over_held(Client& client);

}  // namespace mmt::offload
