#pragma once
// Surplus blocks on their way from a client to the depot: over the channel, as bitmap words or as
// offsets, or put back by the client itself.
#include "offload/client.h"

namespace mmt::offload {

// Gives `count` blocks of class `c` back; they are nobody's after the call. Inside an Entry, which
// it marks as rebuilding the class's cache from the moment on when the first of them is given.
void give_back(Client& client, SizeClass c, void* const* blocks, size_t count);

}  // namespace mmt::offload
