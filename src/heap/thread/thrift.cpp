#include "heap/thread/thrift.h"

#include <mmt/sys/thread.h>

#include "heap/gates/leave.h"
#include "heap/object/depot_guard.h"
#include "heap/thread/hand_over.h"
#include "heap/thread/reclaim.h"

namespace mmt::heap {
namespace {

// The caches and the span of class `c`.
void give_class_back(Client& client, SizeClass c) {
  Heap& heap = *client.heap;
  if (client.cached(c) == 0 && client.sources[c].word_count == 0) return;
  empty_class(client, c, [&heap](const Batch& batch) { leave(heap, batch, DepotWait::kBrief); });
}

}  // namespace

void settle_manner(Client& client) {
  Heap& heap = *client.heap;
  const bool thrifty = heap.thrifty.load(std::memory_order_relaxed);
  if (client.thrifty == thrifty) return;
  hand_over_held(client);
  const sys::SignalsBlocked blocked;  // what is given is forgotten before anybody looks
  for (SizeClass c = 1; c < kClassCount; ++c) give_class_back(client, c);
  client.set_thrifty(thrifty);
  heap.widened.fetch_sub(client.widened, std::memory_order_relaxed);
  client.widened = 0;
}

void leave_caches(Client& client) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const uint32_t count = client.cached(c);
    if (count == 0) continue;
    void** const floor = client.sources[c].floor;
    give_back(client, c, floor + 1, count);
    client.fast.top[c] = floor;
    client.busy_class = 0;
  }
}

}  // namespace mmt::heap
