#pragma once
// Between a client's caches and its channel. All inside an Entry on that client.
#include "offload/client.h"

namespace mmt::offload {

// A span with at most so many free blocks is used up at once, and the next taken with it; but never
// more than fit into the class's cache.
inline constexpr uint32_t kFewBlocks = 16;
// A class's spans from here on are made resident by steps, not page by page.
inline constexpr uint32_t kSettledSpans = 2;
// One step's time, as far as known prices tell.
inline constexpr uint64_t kStepNs = 6000;

// Rebuilds the empty cache of class `c` from the next bitmap word of its span, or of its next span,
// and returns one block. nullptr when memory is short.
void* refill(Client& client, SizeClass c);
// The same, with at most so many blocks, of which all but one are cached. *zeroed: the block reads
// as zero, and nobody has touched it.
void* refill(Client& client, SizeClass c, uint32_t most, bool* zeroed);

// The cache of class `c` is full: its older three quarters go to the depot, or to the memory thread
// (surplus.h). There is room then, but in a cache that may hold nothing.
void flush(Client& client, SizeClass c);

}  // namespace mmt::offload
