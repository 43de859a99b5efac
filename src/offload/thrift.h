#pragma once
// Thrift. Few threads may each keep generous caches, spans of their own, and surplus under way; of
// many, each such share would add up, and most do nothing at any moment. So a client is *thrifty*
// while many clients hold something: its caches hold a few blocks in compact arrays, it has no
// span of its own but takes single blocks, the lowest of the process, under the depot lock, and
// puts what it frees there itself. More threads than CPUs leave the memory thread nothing to gain.
//
// A client changes its manner in its own slow path, when all it holds can be given back.
#include "offload/runtime.h"

namespace mmt::offload {

MMT_COLD void settle_manner(Client& client);
MMT_COLD void count_holder(Client& client);

// By the client's thread, inside an Entry. Its caches may be empty afterwards.
MMT_ALWAYS_INLINE void keep_manner(Client& client) {
  // Relaxed: a manner, not an order.
  const bool thrifty = client.heap->thrifty.load(std::memory_order_relaxed);
  if (MMT_UNLIKELY(client.thrifty != thrifty)) settle_manner(client);
}

// It is about to hold something. Before keep_manner: of hundreds that start at once and wait for
// the lock, all but the first would go on as if they were few.
MMT_ALWAYS_INLINE void now_holds(Client& client) {
  if (MMT_UNLIKELY(!client.holds)) count_holder(client);
}

// Its thread ends: what a thrifty client has cached goes to the others at once, since hundreds may
// end before the memory thread comes to see to them. Inside what stands for an Entry.
void leave_caches(Client& client);

// There is nothing in it any more. By whoever owns it.
void no_longer_holds(Client& client);

// Generous again, once few have held something for a while. `now`: sys::monotonic_ns(). Any thread.
void end_thrift(Heap& heap, uint64_t now);

}  // namespace mmt::offload
