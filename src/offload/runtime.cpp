#include "offload/runtime.h"

#include <pthread.h>

#include <bit>

#include <mmt/core/checked.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/cpus.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/placement.h>
#include <mmt/sys/random.h>
#include <mmt/sys/thread.h>

#include "offload/depot_guard.h"
#include "offload/lifecycle.h"
#include "offload/reclaim.h"
#include "offload/rseq.h"
#include "offload/surplus.h"
#include "offload/surplus_reader.h"
#include "offload/thread_state.h"
#include "offload/thrift.h"

namespace mmt::offload {

namespace {

// Stands for an entry's frame while a thread ends.
constexpr uintptr_t kEndingFrame = 1;

// The first slot is one of so many, 2 MiB, by which the heap's place has five bits more.
constexpr uint64_t kFirstSlots = 32;

// For threads that begin to allocate where no fault is welcome.
constexpr uint32_t kClientsAhead = 4;

// Apart from the reading of options, which takes much of the stack by itself.
MMT_NOINLINE void open_once(Heap& heap) {
  const Options& options = heap.options;
  heap.repeatable = sys::addresses_are_fixed();
  const uint64_t random = heap.repeatable ? 0 : sys::random_bits();
  const auto first = static_cast<native::Slot>(random % kFirstSlots);
  const bool opened = heap.depot.open(options.huge_pages == Switch::kOn, first);
  heap.cpus = sys::affinity_cpus();
  if (opened) prepare_thread_ends();
  sys::prepare_barrier();
  heap.can_sweep = sys::prepare_restarts();
  // Without memory it stays closed, for the next call to try again.
  heap.opening.finish(opened);
}

// An ended thread's client, caches and all, or an empty one.
Client* claim_pooled(Heap& heap) {
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* client = heap.clients.at(i);
    if (client != nullptr && (client->life.adopt() || client->life.claim())) return client;
  }
  return nullptr;
}

Client* map_client(Heap& heap) {
  if (heap.clients.count() == kMaxClients) return nullptr;
  return static_cast<Client*>(heap.depot.budget().map_anywhere(Client::footprint()));
}

// nullptr: the registry is full, and what was mapped is gone.
Client* add_client(Heap& heap, Client* mapped) {
  uint32_t index;
  if (!heap.clients.reserve(&index)) {
    heap.depot.budget().unmap(mapped, Client::footprint());
    return nullptr;
  }
  mapped->open(heap, index);
  mapped->life.claim_new();
  heap.clients.add(index, mapped);
  return mapped;
}

// May come back to a handler of a forced signal first, which has made one for the thread.
Client* make_client(Heap& heap) {
  Client* const client = map_client(heap);
  if (client == nullptr) return nullptr;
  if (thread_state.client == nullptr) return add_client(heap, client);
  heap.depot.budget().unmap(client, Client::footprint());
  return thread_state.client;
}

}  // namespace

bool open_runtime(Heap& heap) {
  auto& opening = heap.opening;
  if (MMT_LIKELY(heap.is_open())) return true;
  const sys::SignalsBlocked blocked;
  if (opening.begin()) {
    read_options(&heap.options);
    open_once(heap);
  }
  for (uint32_t turn = 0; opening.state() == opening.kOpening; ++turn) sys::give_way(turn);
  return heap.is_open();
}

namespace {

// The heap is open.
MMT_NOINLINE Client* attach_to_open(Heap& heap) {
  const sys::SignalsBlocked blocked;
  const uint32_t self = thread_id();  // while nothing is claimed: a system call
  // A signal's handler may have come first.
  if (thread_state.client != nullptr) return thread_state.client;
  Client* client = claim_pooled(heap);
  if (client == nullptr) client = make_client(heap);
  if (client != nullptr && client != thread_state.client) {
    uint64_t* slot = rseq_slot_of_thread(heap.options.rseq);
    client->restartable = slot != nullptr;
    if (slot != nullptr) client->fast.rseq_slot = slot;
    client->busy_frame.store(0, std::memory_order_relaxed);
    client->begin_life();
    // Relaxed: a number, by which nothing else is found.
    client->thread.store(self, std::memory_order_relaxed);
    thread_state.client = client;
    fast_sizes.open();
    watch_thread_end();
  }
  return client;
}

}  // namespace

MMT_COLD Client* attach_client(Heap& heap) {
  return open_runtime(heap) ? attach_to_open(heap) : nullptr;
}

namespace {

// All of them, also where no block has been used yet.
void make_spans_resident(Heap& heap) {
  const native::Region& region = heap.depot.region();
  const auto is_span = [&](native::Slot slot) {
    const uint8_t code = region.class_of(slot);
    return code != native::kNoClass && code < kClassCount;
  };
  const native::Slot end = region.frontier();
  for (native::Slot slot = 0; slot < end; ++slot) {
    const native::Slot first = slot;
    while (slot < end && is_span(slot)) ++slot;
    if (slot != first)
      sys::populate(region.address(first), size_t{slot - first} << native::kSlotShift);
  }
}

}  // namespace

void prepare_for_no_faults(Heap& heap) {
  if (sys::is_quiet() || !open_runtime(heap)) return;
  attach_client(heap);
  while (heap.clients.count() <= kClientsAhead) {
    Client* const mapped = map_client(heap);
    Client* const ahead = mapped != nullptr ? add_client(heap, mapped) : nullptr;
    if (ahead == nullptr) break;
    ahead->life.leave_to_self();
    ahead->life.end_reclaim();
  }
  const uint32_t all = heap.clients.count();
  for (uint32_t i = 0; i < all && i <= kClientsAhead; ++i)
    if (Client* client = heap.clients.at(i)) sys::populate(client, Client::footprint());
  const auto record = reinterpret_cast<uintptr_t>(&heap);
  const uintptr_t start = core::align_down(record, sys::kPageSize);
  sys::populate(reinterpret_cast<void*>(start),
                core::align_up(record + sizeof heap, sys::kPageSize) - start);
  make_spans_resident(heap);
}

void recover_holds(Heap& heap, uint32_t self) {
  recover_cpu_caches(heap, self);
  recover_readers(heap, self);
}

MMT_COLD void keep_to_slow_paths(Heap& heap) {
  // Relaxed: a switch, by which nothing else is found.
  heap.slow_paths_only.store(true, std::memory_order_relaxed);
  current_fast = &empty_fast_part;
}

MMT_COLD void end_thread(Heap& heap) {
  Client* client = thread_state.client;
  thread_state.ended = true;
  if (client == nullptr) return;
  // In this order: the entry of a signal's handler in between would set the fast part again.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread_state.client = nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  current_fast = &empty_fast_part;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  // An entry that is still open was abandoned by the thread's cancellation.
  if (client->busy_class != 0) client->drop(client->busy_class);
  client->busy_class = 0;
  if (client->busy_frame.load(std::memory_order_relaxed) != 0) recover_holds(heap, thread_id());
  // As an Entry, but for its frame.
  client->busy_frame.store(kEndingFrame, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool swept = client->swept_now.load(std::memory_order_acquire);
  if (!swept) {
    if (client->thrifty) leave_caches(*client);
    hand_over_held(*client);
  }
  // What it has streamed past the caches is there before who reclaims it sees that it has left.
  if (swept) core::store_fence();
  const uint32_t self = thread_id();
  if (heap.server_running() || swept || is_amid_depot_step(heap, self)) {
    client->busy_frame.store(0, std::memory_order_release);
    client->zombie_since.set(sys::coarse_ns());
    client->life.leave();
    heap.watermarks.passes_surplus() ? heap.wake() : heap.notify();
    return;
  }
  client->life.leave_to_self();
  client->busy_frame.store(0, std::memory_order_release);
  {
    const sys::SignalsBlocked blocked;
    client->zombie_since.set(sys::coarse_ns());
    reclaim_client(heap, self, *client) ? client->life.end_reclaim() : client->life.put_back();
  }
  heap.notify();
}

}  // namespace mmt::offload
