#pragma once
// Holders are the clients in which something may be. Their number decides how generous each may be:
// see thrift.h.
#include <cstdint>

#include "heap/object/heap.h"

namespace mmt::heap {

MMT_COLD void count_holder(Client& client);

// It is about to hold something. Before keep_manner: of hundreds that start at once and wait for
// the lock, all but the first would go on as if they were few.
MMT_ALWAYS_INLINE void now_holds(Client& client) {
  if (MMT_UNLIKELY(!client.holds)) count_holder(client);
}

// There is nothing in it any more. Its owner calls it.
void no_longer_holds(Client& client);

// The heap is generous again, once few have held something for a while. `now`: sys::monotonic_ns().
// Any thread may call it.
void end_thrift(Heap& heap, uint64_t now);

}  // namespace mmt::heap
