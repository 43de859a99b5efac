#pragma once
// How large blocks of the region grow and shrink where they stand, and the room that they have for
// it beyond what may hold memory.
//
// Calls with a LockToken want the depot lock, and map nothing. The others are for the owner of the
// block, in any thread, or a hint for any. Without memory a block is null, growth is refused, and
// nothing has changed.
#include <cstddef>

#include <mmt/sync/counter.h>

#include "heap/store/large_runs.h"

namespace mmt::store {

class LargeGrowth {
 public:
  // Call it once, before anything else.
  void open(Region* region, FreeRuns* runs, Tally* tally, LargeRuns* large);

  // Grows or shrinks where it stands. False: there is no room. *fresh: bytes that hold no memory
  // among what was added, where that is no room of which clean_room_end knows.
  bool resize(LockToken lock, void* block, size_t bytes, size_t* fresh);
  // Takes a block of `bytes` that reads as zero, and has room to grow. The caller moves the first
  // `extent` bytes, a multiple of slots, to the block from elsewhere.
  void* take(LockToken lock, size_t bytes, size_t extent);
  // Maps what the frontier needs for such a block, or for one at the frontier to grow, so that they
  // are found under the lock. It goes without the lock itself.
  void map_for_taking(size_t bytes, size_t extent);
  void map_for_resizing(const void* block, size_t bytes);
  // Bytes ever taken at the frontier for such extents: growth of the heap that uses no new memory.
  size_t taken_bytes() const { return taken_slots_.get() << kSlotShift; }

  // Bytes from a block's start to the end of its room to grow, where that reads as zero from its
  // extent on; else 0.
  size_t clean_room_end(const void* block) const {
    const Span& span = region_->span(region_->slot_of(block));
    return span.clean_room ? size_t{span.large_slots} << kSlotShift : 0;
  }
  // So many bytes from its start may hold memory now.
  void note_filled(void* block, size_t bytes);
  // All but so many bytes, a multiple of slots, is lost to the heap, as by LargeRuns::abandon.
  void cut(void* block, size_t bytes);

 private:
  void set_bytes(Span& span, size_t bytes);

  Region* region_ = nullptr;
  FreeRuns* runs_ = nullptr;
  Tally* tally_ = nullptr;
  LargeRuns* large_ = nullptr;
  sync::Counter<> taken_slots_;  // written under the lock
};

}  // namespace mmt::store
