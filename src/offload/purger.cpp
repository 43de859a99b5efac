#include "offload/purger.h"

#include <mmt/sys/clock.h>
#include <mmt/sys/pages.h>

#include "offload/runtime.h"
#include "offload/server_thread.h"

namespace mmt::offload {
namespace {

constexpr size_t kRunSlots = 512;  // 32 MiB a system call
constexpr size_t kExcessSlots = 64;
// Free memory beyond this floor plus this part of what is in use is given back without waiting.
constexpr size_t kDirtyFloor = size_t{16} << 20;
constexpr size_t kDirtyShare = 8;

}  // namespace

void Purger::open(uint64_t decay_ns, uint32_t self) {
  decay_ns_ = decay_ns;
  self_ = self;
}

// One run: begin(first) takes it out of the free map under the lock. Its length, 0 for none.
template <class Begin>
size_t Purger::purge_run(Begin&& begin, native::Slot* first, bool* purged) {
  native::Depot& depot = runtime.depot;
  const bool taken = depot.lock().lock(self_);
  const size_t count = begin(first);
  if (taken) depot.lock().unlock(self_);
  if (count == 0) return 0;
  const uint64_t before = sys::monotonic_ns();
  const bool clean = depot.purge_pages(*first, count);
  if (clean) runtime.purges.add(count << native::kSlotShift, sys::monotonic_ns() - before);
  const bool again = depot.lock().lock(self_);
  depot.end_purge_locked(*first, count, clean);
  if (again) depot.lock().unlock(self_);
  *purged |= clean;
  return count;
}

bool Purger::purge(bool aged_only) {
  native::Slot from = 0;
  bool purged = false;
  while (!told_to_leave(self_)) {
    native::Slot first;
    const size_t count = purge_run(
        [&](native::Slot* slot) {
          return runtime.depot.begin_purge_locked(from, kRunSlots, aged_only, slot);
        },
        &first, &purged);
    if (count == 0) break;
    from = first + static_cast<native::Slot>(count);
  }
  return purged;
}

// Ratio-bound: one run from the top of the heap, where it is reused last.
bool Purger::purge_excess() {
  const native::Depot& depot = runtime.depot;
  const size_t dirty = depot.dirty_free_bytes();
  if (dirty <= kDirtyFloor) return false;
  if (dirty <= kDirtyFloor + depot.in_use_bytes() / kDirtyShare) return false;
  native::Slot first;
  bool purged = false;
  purge_run(
      [](native::Slot* slot) { return runtime.depot.begin_purge_top_locked(kExcessSlots, slot); },
      &first, &purged);
  return purged;
}

bool Purger::run(uint64_t now) {
  if (purge_excess()) return true;
  if (now < next_tick_) return false;
  if (runtime.depot.dirty_free_bytes() == 0) {
    next_tick_ = now + decay_ns_;
    return false;
  }
  purge(decay_ns_ != 0);
  const bool taken = runtime.depot.lock().lock(self_);
  runtime.depot.age_locked();
  if (taken) runtime.depot.lock().unlock(self_);
  next_tick_ = now + decay_ns_;
  return false;
}

int64_t Purger::wait_ns(uint64_t now) const {
  if (runtime.depot.dirty_free_bytes() == 0) return -1;
  return now < next_tick_ ? static_cast<int64_t>(next_tick_ - now) : 1;
}

bool Purger::purge_everything() { return purge(false); }

}  // namespace mmt::offload
