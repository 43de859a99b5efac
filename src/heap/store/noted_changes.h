#pragma once
// The program may have changed pages (protected, locked, advised, mapped over). Such pages are
// noted here: they are to be made as new before anybody gets them again.
//
// A large block is noted as a whole, in its first slot's record. In spans each slot's record has a
// bit for each page. The slots of all blocks concerned have the code kChanged, which fast paths do
// not know. So the frees of these blocks come to the slow path. Blocks smaller than a page have no
// page of their own: what is done to their page is done to their neighbours', too.
//
// Calls with a LockToken want the depot lock; the others are any thread's. No call fails.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "heap/store/lock_token.h"
#include "heap/store/region.h"

namespace mmt::store {

class NotedChanges {
 public:
  // Whole pages, and what was done to some of them, perhaps not to those in between.
  struct Pages {
    char* start = nullptr;
    size_t bytes = 0;  // 0: there is nothing
    Change change = Change::kNone;
  };

  // Call it once, before anything else.
  void open(Region* region) { region_ = region; }

  // Whether the range lies in one large block, of which nothing has been noted.
  bool is_in_unchanged_large(LockToken lock, const char* start, size_t bytes);
  // The program changes what of [start, start + bytes) lies in its blocks.
  void note(LockToken lock, const char* start, size_t bytes, Change change);
  // What was changed of a block is forgotten: the caller makes it as new before it frees the block.
  Pages take(LockToken lock, void* block);
  // Returns what was noted of a large block. The call wants no lock, since the program has noted
  // the change before it frees the block.
  Change of_large(const void* block) const {
    return std::atomic_ref(region_->span(region_->slot_of(block)).change)
        .load(std::memory_order_relaxed);
  }

  // --- free slots that changed pages were left in, which are in nobody's hands then ---

  // A span's slots are about to become free: what was left in them is forgotten.
  Change forget(LockToken lock, Slot slot, uint32_t count);
  // They are kept here until somebody takes them.
  void put_run(LockToken lock, Slot slot, uint32_t count, Change change);
  // Relaxed: it is a hint.
  bool has_runs() const { return __atomic_load_n(&runs_, __ATOMIC_RELAXED) != 0; }
  Pages take_run(LockToken lock);

 private:
  Slot large_head(Slot slot);
  void note_in_span(Slot slot, SizeClass c, const char* start, const char* end, Change change);
  void forget_noted_pages(LockToken lock, Slot slot, SizeClass c);

  Region* region_ = nullptr;
  Slot noted_head_ = 0;  // of the large block noted last
  uint32_t runs_ = 0;    // the link of the first
};

}  // namespace mmt::store
