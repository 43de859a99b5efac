#include "offload/client_service.h"

#include <mmt/sys/clock.h>

#include "offload/depot_guard.h"
#include "offload/fresh_blocks.h"
#include "offload/prefaulter.h"
#include "offload/server_thread.h"

namespace mmt::offload {
namespace {

constexpr uint32_t kSupplyDepth = 4;
constexpr size_t kBatchesAStep = 4;
// How long an ended thread's client is kept as it is for a thread that follows.
constexpr uint64_t kZombieNs = 5 * sys::kNanosAMilli;
constexpr size_t kReturnedSpansAStep = 64;
constexpr size_t kReturnedLargeAStep = 16;

// For statistics: see Runtime::supplying.
class Supplying {
 public:
  Supplying() { runtime.supplying.store(true, std::memory_order_relaxed); }
  // Release: who finds it false finds the span in the mailbox.
  ~Supplying() { runtime.supplying.store(false, std::memory_order_release); }
};

}  // namespace

native::SpanSupply ClientService::take_span(SizeClass c, uint64_t* words) {
  {
    const DepotStep step(self_);
    const native::SpanSupply span = runtime.depot.take_span_locked(c, words);
    if (span.slot != kNoSlot) return span;
  }
  if (const native::SpanSupply fresh = runtime.depot.carve_span(c, words); fresh.slot != kNoSlot)
    return fresh;
  const DepotStep step(self_);
  return runtime.depot.take_poor_span(c, words);
}

void ClientService::supply_class(Client& client, SizeClass c) {
  Client::Source& source = client.sources[c];
  const uint32_t taken = source.spans_taken.load(std::memory_order_relaxed);
  // The first spans of a class are fetched by the client itself: most classes never need a second.
  // What lies in a mailbox is nobody's to use: a few slots for a class at most.
  const uint32_t most = kSupplyDepth / kClasses[c].span_slots;
  // Relaxed: a manner, not an order. What comes too late is taken or given back all the same.
  if (runtime.thrifty.load(std::memory_order_relaxed)) return;
  uint32_t depth = taken < 2 ? 0 : taken < 8 ? 1 : taken < 32 ? 2 : kSupplyDepth;
  if (depth > most) depth = most;
  // Acquire inside unread(): the buffer about to be written has been used up.
  while (client.mailboxes[c].unread() < depth) {
    uint64_t* words = client.payload(c, client.mailboxes[c].produced());
    const Supplying between;
    native::SpanSupply span = take_span(c, words);
    if (span.slot == kNoSlot) return;
    prepare_span(c, &span);
    if (!client.mailboxes[c].put(pack_supply(span))) {
      const DepotStep step(self_);
      runtime.depot.put_words_locked(span.slot, words);
      return;
    }
    runtime.server_counters.spans.add();
  }
}

bool ClientService::supply(Client& client) {
  if (client.wanted.load(std::memory_order_relaxed) == 0) return false;
  uint64_t wanted = client.wanted.exchange(0, std::memory_order_relaxed);
  for (; wanted != 0; wanted &= wanted - 1)
    supply_class(client, static_cast<SizeClass>(__builtin_ctzll(wanted)) + 1);
  return true;
}

bool ClientService::drain(Client& client) {
  bool worked = false;
  // A hint: reading the ring is the lock holder's.
  while (client.surplus.size_hint() != 0 && !told_to_leave(self_)) {
    {
      const DepotStep step(self_);
      drain_batches_locked(client, kBatchesAStep);
    }
    worked = true;
    supply(client);
  }
  return worked;
}

// In steps, so that threads which need the lock meanwhile get it.
void ClientService::reclaim_zombie(Client& client) {
  if (!client.life.begin_reclaim()) return;
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const DepotStep step(self_);
    reclaim_class_locked(client, c);
  }
  {
    const DepotStep step(self_);
    reclaim_client_locked(client);
  }
  client.life.end_reclaim();
}

bool ClientService::serve(Client& client, Look look) {
  const auto state = client.life.state();
  if (state == client.life.kZombie) {
    const uint64_t since = client.zombie_since.get();
    if (look != Look::kLast && sys::monotonic_ns() - since < kZombieNs) return false;
    reclaim_zombie(client);
    return true;
  }
  if (state == client.life.kFree) return false;
  const bool supplied = supply(client);
  return drain(client) || supplied;
}

bool ClientService::serve_all(Look look) {
  bool worked = false;
  const uint32_t count = runtime.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* client = runtime.clients.at(i);
    if (client != nullptr) worked |= serve(*client, look);
  }
  return worked;
}

bool ClientService::collect_returned() {
  bool worked = false;
  if (runtime.depot.has_returned_large()) {
    const DepotStep step(self_);
    worked = !runtime.depot.collect_large_locked(kReturnedLargeAStep);
  }
  if (!runtime.depot.has_returned()) return worked;
  const DepotStep step(self_);
  runtime.depot.collect_returned_locked(kReturnedSpansAStep);
  return true;
}

}  // namespace mmt::offload
