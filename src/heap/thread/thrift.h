#pragma once
// Few threads may each keep generous caches, spans of their own, and surplus under way. The shares
// of many threads would add up, and at any moment most of these threads do nothing. So a client is
// *thrifty* while many clients hold something. Its caches hold a few blocks in compact arrays. It
// has no span of its own but takes single blocks, the lowest of the process, under the depot lock.
// It puts what it frees into the depot itself. More threads than CPUs leave the memory thread
// nothing to gain.
//
// A client changes its manner in its own slow path, when all it holds can be given back.
#include "heap/object/heap.h"

namespace mmt::heap {

MMT_COLD void settle_manner(Client& client);

// The client's thread calls it, inside an Entry. Its caches may be empty afterwards.
MMT_ALWAYS_INLINE void keep_manner(Client& client) {
  // Relaxed: it is a manner, not an order.
  const bool thrifty = client.heap->thrifty.load(std::memory_order_relaxed);
  if (MMT_UNLIKELY(client.thrifty != thrifty)) settle_manner(client);
}

// The client's thread ends. The cached blocks of a thrifty client go to the others at once, since
// hundreds may end before the memory thread sees to them. The caller is inside what stands for an
// Entry.
void leave_caches(Client& client);

}  // namespace mmt::heap
