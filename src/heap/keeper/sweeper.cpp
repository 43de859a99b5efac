#include "heap/keeper/sweeper.h"

#include <algorithm>

#include <mmt/sys/clock.h>
#include <mmt/sys/thread.h>

#include "heap/gates/surplus_reader.h"
#include "heap/object/depot_guard.h"
#include "heap/pages/page_hooks.h"
#include "heap/thread/cpu_caches.h"
#include "heap/thread/hand_over.h"
#include "heap/thread/holders.h"
#include "heap/thread/reclaim.h"

namespace mmt::heap {
namespace {

constexpr uint64_t kLeastIntervalNs = 1000 * sys::kNanosAMilli;

// These load and store what another thread's fast paths use.
void** load_top(const Client& client, SizeClass c) {
  return __atomic_load_n(&client.fast.top[c], __ATOMIC_ACQUIRE);
}
void store_limit(Client& client, SizeClass c, void** limit) {
  __atomic_store_n(&client.fast.limit[c], limit, __ATOMIC_RELEASE);
}

// The same for a guess only, while its thread may be changing it.
__attribute__((no_sanitize("thread"))) void** guess_top(const Client& client, SizeClass c) {
  return *static_cast<void** const volatile*>(&client.fast.top[c]);
}

__attribute__((no_sanitize("thread"))) bool has_something(const Client& client) {
  if (client.holds || client.surplus.size_hint() != 0) return true;
  for (SizeClass c = 1; c < kClassCount; ++c)
    if (guess_top(client, c) != client.sources[c].floor) return true;
  return false;
}

// Changes whenever its thread uses the client, but for what leaves everything as it was.
uint64_t mark_of(const Client& client) {
  uint64_t mark = client.counters.refills.get() + client.counters.flushes.get();
  for (SizeClass c = 1; c < kClassCount; ++c)
    mark = mark * 31 + reinterpret_cast<uintptr_t>(guess_top(client, c));
  return mark;
}

void restore_limits(Client& client) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    void** const floor = client.sources[c].floor;
    const auto cached = static_cast<uint32_t>(load_top(client, c) - floor);
    store_limit(client, c, floor + std::max(client.first_limit(c), cached));
  }
}

template <class Visit>
void for_each_live(Heap& heap, Visit&& visit) {
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* const client = heap.clients.at(i);
    if (client != nullptr && client->lease.state() == client->lease.kLive) visit(i, *client);
  }
}

}  // namespace

void Sweeper::open(uint64_t decay_ns, uint32_t self) {
  interval_ns_ = std::max(decay_ns, kLeastIntervalNs);
  self_ = self;
  note_use(sys::monotonic_ns());
}

void Sweeper::note_use(uint64_t now) {
  if (pending_) return;
  pending_ = true;
  next_look_ = now + interval_ns_;
}

int64_t Sweeper::wait_ns(uint64_t now) const {
  if (!pending_ || !heap_.can_sweep || pages_stay(heap_)) return -1;
  return now < next_look_ ? static_cast<int64_t>(next_look_ - now) : 1;
}

// Which clients are idle. True: there are some.
bool Sweeper::look() {
  for (bool& idle : idle_) idle = false;
  idle_count_ = 0;
  pending_ = false;
  for_each_live(heap_, [this](uint32_t i, Client& client) {
    const uint64_t mark = mark_of(client);
    if (mark != client.mark) {
      client.mark = mark;
      client.swept = false;
      pending_ = true;
    } else if (!client.swept && has_something(client)) {
      idle_[i] = true;
      ++idle_count_;
    }
  });
  return idle_count_ != 0;
}

template <class Visit>
void Sweeper::for_each_idle(Visit&& visit) {
  for (uint32_t i = 0; i < kMaxClients; ++i)
    if (idle_[i]) visit(i, *heap_.clients.at(i));
}

// Without the barrier nothing is certain: no more is swept.
bool Sweeper::pass_barrier() {
  if (sys::restart_sequences()) return true;
  heap_.can_sweep = false;
  return false;
}

void Sweeper::let_go() {
  for_each_idle(
      [](uint32_t, Client& client) { client.swept_now.store(false, std::memory_order_release); });
}

// Leaves those in idle_ that no thread can use for the moment. False: none, and all is as it was.
bool Sweeper::begin() {
  for_each_idle(
      [](uint32_t, Client& client) { client.swept_now.store(true, std::memory_order_seq_cst); });
  if (!pass_barrier()) {
    let_go();
    return false;
  }
  for_each_idle([this](uint32_t i, Client& client) {
    // Acquire: pairs with the end of the thread's last Entry.
    const bool busy = client.busy_frame.load(std::memory_order_acquire) != 0;
    client.swept = true;
    if (busy || client.lease.state() != client.lease.kLive) {
      idle_[i] = false;
      --idle_count_;
      client.swept_now.store(false, std::memory_order_release);
      return;
    }
    for (SizeClass c = 1; c < kClassCount; ++c) store_limit(client, c, nullptr);
  });
  return true;
}

// False: nothing was taken.
bool Sweeper::take_caches() {
  if (!pass_barrier()) {
    for_each_idle([](uint32_t, Client& client) { restore_limits(client); });
    let_go();
    return false;
  }
  for_each_idle([](uint32_t, Client& client) {
    for (SizeClass c = 1; c < kClassCount; ++c) {
      void** top = load_top(client, c);
      if (top == client.sources[c].floor) continue;
      client.sources[c].swept_top = top;
      // Where it fails a pop has come first, and the class keeps its cache.
      __atomic_compare_exchange_n(&client.fast.top[c], &top, &swept_entry, false, __ATOMIC_SEQ_CST,
                                  __ATOMIC_RELAXED);
    }
  });
  // Where it fails a pop may still be on its way: these clients stay as they are, and their threads
  // are served without them.
  return pass_barrier();
}

void Sweeper::give_class(Client& client, SizeClass c) {
  Client::Source& source = client.sources[c];
  const bool swept = load_top(client, c) == &swept_entry;
  if (!swept && source.slot == kNoSlot) return;
  const auto leave = [this](const Batch& batch) { leave_as(heap_, self_, batch); };
  empty_source(client, c, leave);
  if (!swept) return;
  __atomic_store_n(&client.fast.top[c], source.floor, __ATOMIC_RELEASE);
  const auto count = static_cast<size_t>(source.swept_top - source.floor);
  leave(Batch::of_blocks(c, source.floor + 1, count));
}

// Its thread ended meanwhile, and left it to the sweeper.
void Sweeper::give_all(Client& client) {
  bool empty = true;
  for (SizeClass c = 1; c < kClassCount; ++c) {
    give_class(client, c);
    empty &= load_top(client, c) == client.sources[c].floor;
  }
  hand_over_held(client);
  bool drained = false;
  while (!drained) {
    SurplusReader reader(heap_, client, self_);
    if (!reader.held()) return;
    const size_t ready = reader.look(SurplusReader::kBatchesAHold);
    const DepotStep lock(heap_, self_);
    drained = reader.put(lock, ready);
    if (drained) client.surplus.rewind();
  }
  if (!empty) return;
  no_longer_holds(client);
  const uint64_t before = sys::monotonic_ns();
  const size_t bytes = client.give_pages_back();
  if (bytes != 0) heap_.purges.add(bytes, sys::monotonic_ns() - before);
}

bool Sweeper::run(uint64_t now) {
  if (now < next_look_ || wait_ns(now) < 0) return false;
  next_look_ = now + interval_ns_;
  end_thrift(heap_, now);
  {
    const DepotStep lock(heap_, self_);
    heap_.depot.singles().put_spans(lock);
  }
  const bool cpus_empty = empty_cpu_caches(heap_, self_, CpuCacheKind::kUnused);
  // Some threads ended as their clients were about to be swept: these clients are reclaimed.
  const uint32_t count = heap_.clients.count();
  for (uint32_t i = 0; i < count; ++i)
    if (Client* const client = heap_.clients.at(i)) reclaim_zombie(heap_, self_, *client);
  const bool any_idle = look();
  pending_ |= !cpus_empty;
  if (!any_idle || !begin() || !take_caches()) return false;
  for_each_idle([this](uint32_t, Client& client) {
    give_all(client);
    restore_limits(client);
    client.mark = mark_of(client);
    // Release: pairs with the next Entry on it.
    client.swept_now.store(false, std::memory_order_release);
    reclaim_zombie(heap_, self_, client);
  });
  return idle_count_ != 0;
}

void undo_sweep_in_child(Client& client) {
  if (!client.swept_now.load(std::memory_order_relaxed)) return;
  client.swept_now.store(false, std::memory_order_relaxed);
  // One that its thread was using has not been touched.
  if (client.busy_frame.load(std::memory_order_relaxed) != 0) return;
  for (SizeClass c = 1; c < kClassCount; ++c)
    if (client.fast.top[c] == &swept_entry) client.fast.top[c] = client.sources[c].swept_top;
  restore_limits(client);
}

}  // namespace mmt::heap
