#pragma once
// Between a client's caches and its channel. All inside an Entry on that client.
#include "offload/client.h"

namespace mmt::offload {

// Rebuilds the empty cache of class `c` from the next bitmap word of its span, or of its next span,
// and returns one block. nullptr when memory is short.
void* refill(Client& client, SizeClass c);

// The cache of class `c` is full: its older three quarters go to the memory thread, or to the depot
// when there is none.
void flush(Client& client, SizeClass c);

}  // namespace mmt::offload
