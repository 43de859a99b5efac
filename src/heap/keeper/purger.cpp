#include "heap/keeper/purger.h"

#include <algorithm>

#include <mmt/core/checked.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/object/server_orders.h"
#include "heap/object/thread_state.h"
#include "heap/pages/page_hooks.h"

namespace mmt::heap {
namespace {

constexpr size_t kRunSlots = 512;  // 32 MiB a system call
constexpr size_t kExcessSlots = 64;
constexpr size_t kThinLooks = 1024;  // spans and free slots, while the lock is held
constexpr uint64_t kLeastLookNs = 100 * sys::kNanosAMilli;

}  // namespace

// What a run costs is measured on the memory thread alone: a thread of the program's may not be
// allowed the counter.
uint64_t Purger::clock_ns() const {
  // Relaxed: it is a number, by which nothing else is found.
  const bool serves = self_ == heap_.server_thread.load(std::memory_order_relaxed);
  return serves ? sys::monotonic_ns() : 0;
}

void Purger::open(uint64_t decay_ns, uint32_t self, store::Discard discard) {
  decay_ns_ = decay_ns;
  discard_ = discard;
  self_ = self;
}

// One run: begin(lock, first) takes it out of the free map under the lock. Its length, 0 for none.
template <class Begin>
size_t Purger::purge_run(Begin&& begin, store::Slot* first, bool* purged) {
  store::Depot& depot = heap_.depot;
  size_t count;
  {
    const DepotStep lock(heap_, self_);
    count = begin(lock, first);
  }
  if (count == 0) return 0;
  const uint64_t before = clock_ns();
  const store::PurgeResult result = depot.purging().purge_pages(*first, count, discard_);
  if (result == store::PurgeResult::kLost) return count;
  const bool clean = result == store::PurgeResult::kClean;
  if (clean) heap_.purges.add(count << store::kSlotShift, clock_ns() - before);
  const DepotStep lock(heap_, self_);
  depot.purging().end(lock, *first, count, clean);
  *purged |= clean;
  return count;
}

bool Purger::purge(bool aged_only) {
  store::Slot from = 0;
  bool purged = false;
  while (!told_to_leave(heap_, self_)) {
    store::Slot first;
    const size_t count = purge_run(
        [&](LockToken lock, store::Slot* slot) {
          return heap_.depot.purging().begin(lock, from, kRunSlots, aged_only, slot);
        },
        &first, &purged);
    if (count == 0) break;
    from = first + static_cast<store::Slot>(count);
  }
  return purged;
}

// One look at all spans. True when memory was given back.
bool Purger::thin() {
  store::Depot& depot = heap_.depot;
  store::Slot from = 0;
  bool thinned = false;
  while (from < depot.region().frontier() && !told_to_leave(heap_, self_)) {
    uint64_t words[store::kMaxBitmapWords];
    store::Slot slot;
    {
      const DepotStep lock(heap_, self_);
      slot = depot.thinning().begin(lock, &from, kThinLooks, words);
    }
    if (slot == store::kNoSlot) continue;
    const uint64_t before = clock_ns();
    const size_t bytes = depot.thinning().thin_pages(slot, words, discard_);
    if (bytes != 0) heap_.purges.add(bytes, clock_ns() - before);
    thinned |= bytes != 0;
    const DepotStep lock(heap_, self_);
    depot.thinning().end(lock, slot, words);
  }
  return thinned;
}

// After the last change two looks are needed: one that notes the spans as seen, one that finds them
// so.
void Purger::thin_if_due(uint64_t now) {
  if (now < next_look_) return;
  next_look_ = now + (decay_ns_ < kLeastLookNs ? kLeastLookNs : decay_ns_);
  {
    const DepotStep lock(heap_, self_);
    if (heap_.depot.spans().take_touched(lock)) looks_left_ = 2;
  }
  if (looks_left_ == 0) return;
  --looks_left_;
  thin();
}

bool Purger::is_excess(Heap& heap) { return heap.depot.runs().dirty_bytes() > bound(heap); }

void Purger::set_floor(Heap& heap, size_t bytes) {
  const size_t stored = bytes == kKeepAll ? kKeepAll : bytes + 1;
  // Relaxed: it is a number, by which nothing else is found.
  heap.free_floor.store(stored, std::memory_order_relaxed);
  heap.depot.keep_memory(bytes == kKeepAll);
  heap.parker.wake();  // what the memory thread waits for may come sooner
}

size_t Purger::floor(Heap& heap) {
  // Relaxed: as in set_floor.
  const size_t stored = heap.free_floor.load(std::memory_order_relaxed);
  if (stored == 0)
    return heap.thrifty.load(std::memory_order_relaxed) ? kThriftyDirtyFloor : kDirtyFloor;
  return stored == kKeepAll ? kKeepAll : stored - 1;
}

size_t Purger::bound(Heap& heap) {
  const size_t least = floor(heap);
  const size_t share = heap.depot.runs().in_use_bytes() / kDirtyShare;
  return least > kKeepAll - share ? kKeepAll : least + share;
}

// Ratio-bound: what lay beyond the bound during a whole interval, from the top of the heap, where
// it is reused last. One run at a time.
bool Purger::purge_excess(uint64_t now) {
  if (now >= next_excess_) {
    const DepotStep lock(heap_, self_);
    const size_t least = heap_.depot.runs().slots(lock).take_least_dirty() << store::kSlotShift;
    const size_t allowed = bound(heap_);
    excess_ = least > allowed ? least - allowed : 0;
    next_excess_ = now + kExcessIntervalNs;
  }
  if (excess_ == 0) return false;
  store::Slot first;
  bool purged = false;
  const size_t most = std::min(kExcessSlots, core::ceil_div(excess_, store::kSlotBytes));
  const size_t slots = purge_run(
      [this, most](LockToken lock, store::Slot* slot) {
        return heap_.depot.purging().begin_top(lock, most, slot);
      },
      &first, &purged);
  const size_t bytes = slots << store::kSlotShift;
  excess_ = purged && bytes < excess_ ? excess_ - bytes : 0;
  return purged;
}

// Gives back what is aged, and marks what is dirty.
void Purger::tick() {
  if (heap_.depot.runs().dirty_bytes() == 0) return;
  purge(decay_ns_ != 0);
  const DepotStep lock(heap_, self_);
  heap_.depot.runs().slots(lock).age();
}

bool Purger::run(uint64_t now) {
  if (pages_stay(heap_)) {
    // Relaxed: a hint. With all kept there is no excess.
    heap_.program_gives_back.store(is_excess(heap_), std::memory_order_relaxed);
    return false;
  }
  if (now >= next_tick_) {
    tick();
    next_tick_ = now + decay_ns_;
  }
  thin_if_due(now);
  return purge_excess(now);
}

int64_t Purger::wait_ns(uint64_t now) const {
  if (pages_stay(heap_)) return -1;
  uint64_t until = ~uint64_t{0};
  const size_t dirty = heap_.depot.runs().dirty_bytes();
  if (dirty != 0) until = next_tick_;
  if (is_excess(heap_) && next_excess_ < until) until = next_excess_;
  if ((looks_left_ != 0 || heap_.depot.spans().touched()) && next_look_ < until) until = next_look_;
  if (until == ~uint64_t{0}) return -1;
  return now < until ? static_cast<int64_t>(until - now) : 1;
}

bool Purger::purge_everything() {
  thin();  // notes all spans as seen
  const bool thinned = thin();
  return purge(false) || thinned;
}

bool purge_all(Heap& heap) {
  const sys::SignalsBlocked blocked;
  if (is_amid_depot_step(heap, thread_id())) return false;
  Purger purger(heap);
  purger.open(0, thread_id(), discard_for_watchers());
  return purger.purge_everything();
}

}  // namespace mmt::heap
