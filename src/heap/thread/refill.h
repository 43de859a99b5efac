#pragma once
// How a thread comes to blocks: from its cache, which is refilled from its span, or from the depot.
#include "heap/object/client.h"

namespace mmt::heap {

// A span with at most so many free blocks is used up at once, and the next span is taken with it.
// The blocks taken are never more than fit into the class's cache.
inline constexpr uint32_t kFewBlocks = 16;
// A class's spans from here on are made resident by steps, not page by page.
inline constexpr uint32_t kSettledSpans = 2;
// One step's time, as far as known prices tell.
inline constexpr uint64_t kStepNs = 6000;

// A block of class `c` for the calling thread, without the fast path. nullptr when memory is short.
void* allocate_of_class(Heap& heap, SizeClass c);
// One of several pages, and whether it reads as zero since nobody has ever had it. No others are
// cached with it: they would be taken for used ones.
void* allocate_of_pages(Heap& heap, SizeClass c, bool* zeroed);

// Rebuilds the empty cache of class `c`, and returns one block. The blocks come from the next
// bitmap word of its span, or of its next span. The result is nullptr when memory is short. The
// call is made inside an Entry.
void* refill(Client& client, SizeClass c);
// The same, with at most so many blocks, of which all but one are cached. *zeroed: the block reads
// as zero, and nobody has touched it.
void* refill(Client& client, SizeClass c, uint32_t most, bool* zeroed);

}  // namespace mmt::heap
