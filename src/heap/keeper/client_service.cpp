#include "heap/keeper/client_service.h"

#include <utility>

#include <mmt/sys/clock.h>

#include "heap/gates/surplus_reader.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/object/server_orders.h"
#include "heap/thread/reclaim.h"

namespace mmt::heap {
namespace {

// How long an ended thread's client is kept as it is for a thread that follows.
constexpr uint64_t kZombieNs = 5 * sys::kNanosAMilli;
constexpr size_t kReturnedSpansAStep = 64;
constexpr size_t kReturnedLargeAStep = 16;

}  // namespace

bool ClientService::drain(Client& client) {
  bool worked = false;
  // A hint: the ring is its reader's.
  while (client.surplus.size_hint() != 0 && !told_to_leave(heap_, self_)) {
    SurplusReader reader(heap_, client, self_);
    if (!reader.held()) break;
    const size_t ready = reader.look(SurplusReader::kBatchesAHold);
    const DepotStep lock(heap_, self_);
    reader.put(lock, ready);
    worked = true;
  }
  return worked;
}

bool ClientService::serve(Client& client, Look look) {
  const auto state = client.lease.state();
  if (state == client.lease.kZombie) {
    const uint64_t since = client.zombie_since.get();
    if (look != Look::kLast && sys::monotonic_ns() - since < kZombieNs) return false;
    reclaim_zombie(heap_, self_, client);
    return true;
  }
  if (state == client.lease.kFree) return false;
  return drain(client);
}

bool ClientService::serve_all(Look look) {
  bool worked = false;
  const uint32_t count = heap_.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* client = heap_.clients.at(i);
    if (client != nullptr) worked |= serve(*client, look);
  }
  return worked;
}

int64_t ClientService::wait() const {
  bool any_ended = false;
  const uint32_t count = heap_.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    const Client* client = heap_.clients.at(i);
    if (client == nullptr) continue;
    if (client->surplus.size_hint() != 0) return 0;
    any_ended |= client->lease.state() == client->lease.kZombie;
  }
  return any_ended ? static_cast<int64_t>(kZombieNs) : -1;
}

bool ClientService::were_used() {
  uint64_t use = 0;
  const uint32_t count = heap_.clients.count();
  for (uint32_t i = 0; i < count; ++i)
    if (const Client* client = heap_.clients.at(i))
      use += client->counters.refills.get() + client->counters.flushes.get();
  return std::exchange(use_seen_, use) != use;
}

bool ClientService::collect_returned() {
  bool worked = false;
  if (heap_.depot.large().has_returned()) {
    const DepotStep lock(heap_, self_);
    worked = !heap_.depot.large().collect(lock, kReturnedLargeAStep);
  }
  return merge_resting(heap_, self_, kReturnedSpansAStep) || worked;
}

}  // namespace mmt::heap
