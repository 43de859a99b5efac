#include "heap/thread/reclaim.h"

#include "heap/gates/surplus_reader.h"
#include "heap/object/depot_guard.h"
#include "heap/thread/hand_over.h"
#include "heap/thread/holders.h"

namespace mmt::heap {

bool read_surplus(Heap& heap, uint32_t self, Client& client) {
  SurplusReader reader(heap, client, self, SurplusReader::kSpins);
  if (!reader.held()) return false;
  const size_t ready = reader.look(~size_t{0});
  const DepotStep lock(heap, self);
  return lock.held() && reader.put(lock, ready);
}

bool reclaim_client(Heap& heap, uint32_t self, Client& client) {
  hand_over_held(client);  // a thread that ended amid a sweep has not
  const bool is_read = client.surplus.size_hint() == 0 || read_surplus(heap, self, client);
  for (SizeClass c = 1; c < kClassCount; ++c)
    empty_class(client, c, [&heap, self](const Batch& batch) { leave_as(heap, self, batch); });
  no_longer_holds(client);
  return is_read;
}

void reclaim_zombie(Heap& heap, uint32_t self, Client& client) {
  if (!client.lease.begin_reclaim()) return;
  reclaim_client(heap, self, client) ? client.lease.end_reclaim() : client.lease.put_back();
}

void reclaim_zombies(Heap& heap, uint32_t self) {
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* client = heap.clients.at(i);
    if (client == nullptr || !client->lease.begin_reclaim()) continue;
    // The exchange before is a full fence: the sweeper, which says so before its barrier, has seen
    // that its thread ended, or is seen here.
    if (client->swept_now.load(std::memory_order_acquire) || !reclaim_client(heap, self, *client)) {
      client->lease.put_back();
      continue;
    }
    client->lease.end_reclaim();
  }
}

}  // namespace mmt::heap
