#include "offload/purger.h"

#include <mmt/sys/clock.h>
#include <mmt/sys/pages.h>

#include "offload/runtime.h"

namespace mmt::offload {
namespace {

constexpr size_t kRunSlots = 512;  // 32 MiB a system call

}  // namespace

void Purger::open(uint64_t decay_ns, uint32_t self) {
  decay_ns_ = decay_ns;
  self_ = self;
}

bool Purger::purge(bool aged_only) {
  native::Depot& depot = runtime.depot;
  native::Slot from = 0;
  bool purged = false;
  for (;;) {
    native::Slot first;
    const bool taken = depot.lock().lock(self_);
    const size_t count = depot.begin_purge_locked(from, kRunSlots, aged_only, &first);
    if (taken) depot.lock().unlock(self_);
    if (count == 0) return purged;
    const uint64_t before = sys::monotonic_ns();
    const bool clean = depot.purge_pages(first, count);
    if (clean) runtime.purges.add(count << native::kSlotShift, sys::monotonic_ns() - before);
    const bool again = depot.lock().lock(self_);
    depot.end_purge_locked(first, count, clean);
    if (again) depot.lock().unlock(self_);
    from = first + static_cast<native::Slot>(count);
    purged |= clean;
  }
}

void Purger::run(uint64_t now) {
  if (now < next_tick_) return;
  if (runtime.depot.dirty_free_bytes() == 0) {
    next_tick_ = now + decay_ns_;
    return;
  }
  purge(decay_ns_ != 0);
  const bool taken = runtime.depot.lock().lock(self_);
  runtime.depot.age_locked();
  if (taken) runtime.depot.lock().unlock(self_);
  next_tick_ = now + decay_ns_;
}

int64_t Purger::wait_ns(uint64_t now) const {
  if (runtime.depot.dirty_free_bytes() == 0) return -1;
  return now < next_tick_ ? static_cast<int64_t>(next_tick_ - now) : 1;
}

bool Purger::purge_everything() { return purge(false); }

}  // namespace mmt::offload
