#pragma once
// Large blocks, above kMaxClassSize, that are runs of slots of the region: how they come and go.
// See LargeGrowth for how they grow, and OwnMappings for those outside the region.
//
// Calls with a LockToken want the depot lock, and map nothing. The others are any thread's, with a
// block of the caller's own; those that carve may map. Without memory a block is null, and nothing
// has changed.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/take_all_list.h>

#include "heap/store/clean_parts.h"
#include "heap/store/free_runs.h"
#include "heap/store/lock_token.h"
#include "heap/store/region.h"
#include "heap/store/tally.h"

namespace mmt::store {

class LargeRuns {
 public:
  // Returned blocks that a call which needs slots takes back on its way.
  static constexpr size_t kCollectedOnTheWay = 16;

  // Call it once, before anything else.
  void open(Region* region, FreeRuns* runs, Tally* tally);

  // *clean: what of the block's `bytes` holds no memory. `alignment` is a power of two.
  void* take(LockToken lock, size_t bytes, size_t alignment, CleanParts* clean);
  // All of it holds no memory.
  void* carve(size_t bytes, size_t alignment);
  // A block would be of fresh memory, though as much lies free and resident.
  bool is_scattered(LockToken lock, size_t bytes, size_t alignment);
  // `moved`: the pages of its extent were moved away.
  void give(LockToken lock, void* block, bool moved = false);
  // Its address range is lost to the heap: from now on it is as foreign as somebody else's mapping.
  void abandon(void* block);

  // Bytes of it that the program may use.
  size_t usable(const void* block) const {
    return region_->span(region_->slot_of(block)).large_bytes;
  }
  // Bytes from its start that may hold memory.
  size_t extent(const void* block) const {
    return size_t{region_->span(region_->slot_of(block)).used_slots} << kSlotShift;
  }

  // --- what comes back without the lock, and rests until somebody holds it ---

  // The same as give(), but later.
  void return_block(void* block, bool moved = false);
  // Slots of no block are free, later; `clean`: they hold no memory.
  void return_slots(Slot first, size_t count, bool clean);
  // Relaxed: a guess, which the lock makes sure.
  bool has_returned() const {
    return __atomic_load_n(&collected_, __ATOMIC_RELAXED) != 0 || !returned_.empty();
  }
  // Takes back at most so many blocks and runs. False: more are waiting.
  bool collect(LockToken lock, size_t most);

  // --- for LargeGrowth ---

  // `count` slots of the caller's become a block of `bytes`.
  void* format(Slot slot, size_t count, size_t bytes);
  // The slots that a block at `slot` has beyond its extent become free.
  void give_room(LockToken lock, Slot slot, const Span& span);

 private:
  template <Reach kReach>
  void* carve_within(size_t bytes, size_t alignment);
  Slot take_dirty(LockToken lock, size_t count, size_t alignment);
  void find_clean_parts(const SlotMap& slots, Slot first, size_t bytes, CleanParts* clean) const;
  void return_run(Slot slot, bool emptied);

  // It is hardly ever written.
  Region* region_ = nullptr;
  FreeRuns* runs_ = nullptr;
  Tally* tally_ = nullptr;
  // It is written without the lock.
  alignas(core::kNoSharing) sync::TakeAllList<> returned_;  // blocks, and runs of class kNoClass
  uint32_t collected_ = 0;  // the link of the next one taken from there, or 0
};

}  // namespace mmt::store
