#pragma once
// Free runs are runs of slots that are nobody's. The slot map knows some of them, and others lie
// beyond the frontier. Carving leaves some behind for alignment; these rest until somebody holds
// the lock.
//
// A thread that holds the depot lock may use the slot map and reclaim what was left behind. The
// other calls are any thread's at any time; the figures are hints then. Without memory carve()
// gives kNoSlot, and nothing has changed.
#include <atomic>
#include <cstddef>

#include <mmt/core/compiler.h>
#include <mmt/sync/take_all_list.h>

#include "heap/store/lock_token.h"
#include "heap/store/prepared_memory.h"
#include "heap/store/region.h"
#include "heap/store/slot_map.h"

namespace mmt::store {

class FreeRuns {
 public:
  // Once, after the region was opened, and before all calls but keep_memory.
  void open(Region* region, const PreparedMemory* prepared);

  // The slots below the frontier.
  SlotMap& slots(LockToken) { return slots_; }
  // `count` fresh slots, the first aligned; see Region::carve.
  template <Reach kReach>
  Slot carve(size_t count, size_t alignment) {
    Slot skipped_from;
    size_t skipped;
    const Slot slot = region_->carve<kReach>(count, alignment, &skipped_from, &skipped);
    if (slot != kNoSlot && skipped != 0) note_skipped(skipped_from, skipped);
    return slot;
  }
  // What alignment or an obstacle has cost at the frontier goes to the slot map.
  void reclaim_skipped(LockToken lock);

  // Memory that lies free and resident goes first, before any that would have to be faulted in.
  // Relaxed: it is a manner, not an order.
  void keep_memory(bool keep) { keeps_memory_.store(keep, std::memory_order_relaxed); }
  bool keeps_memory() const { return keeps_memory_.load(std::memory_order_relaxed); }

  // Free slots that hold memory.
  size_t dirty_bytes() const { return slots_.dirty_slots() << kSlotShift; }
  // Slots below the frontier, which is never below the first.
  size_t ever_used() const { return size_t{region_->frontier()} - region_->first(); }
  // Address space below the frontier that is not free.
  size_t in_use_bytes() const { return (ever_used() - slots_.free_slots()) << kSlotShift; }
  // So much lies free that taking more at the frontier would be a waste.
  bool are_plenty() const { return slots_.free_slots() > kPlentySlots + region_->frontier() / 8; }

 private:
  static constexpr size_t kPlentySlots = 256;  // 16 MiB

  void note_skipped(Slot from, size_t count);
  void give_chain(Slot link);

  // It is hardly ever written.
  alignas(core::kNoSharing) Region* region_ = nullptr;
  const PreparedMemory* prepared_ = nullptr;
  std::atomic<bool> keeps_memory_{false};
  // It is written under the lock.
  alignas(core::kNoSharing) SlotMap slots_;
  // Written without it: by link, which is a run's first slot + 1.
  alignas(core::kNoSharing) sync::TakeAllList<> skipped_;
};

}  // namespace mmt::store
