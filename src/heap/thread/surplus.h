#pragma once
// The blocks that a thread frees go into its cache. The older ones of a cache that is full are
// handed over.
#include "heap/object/client.h"

namespace mmt::heap {

// The calling thread frees a block of class `c`, without the fast path.
void put_away(Heap& heap, void* block, SizeClass c);

// The cache of class `c` is full: it is widened, or its older three quarters are given back. There
// is room then, but in a cache that may hold nothing. It is called inside an Entry.
void flush(Client& client, SizeClass c);

}  // namespace mmt::heap
