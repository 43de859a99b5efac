#pragma once
// Some small blocks come back without the depot lock. They rest in their spans' returned bitmaps
// until somebody holds the lock. Some spans were carved for one block; their other blocks rest
// here, too.
//
// Calls with a LockToken want the lock. The others are any thread's at any time, also in a signal
// handler; carve_block() may map. Without memory it gives null, and nothing has changed.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/returned_bits.h>
#include <mmt/sync/take_all_list.h>

#include "heap/store/lock_token.h"
#include "heap/store/region.h"
#include "heap/store/size_class.h"
#include "heap/store/spans.h"

namespace mmt::store {

class ReturnedBlocks {
 public:
  // Once, before all calls but has_any.
  void open(Region* region, Spans* spans);

  // The first block of a fresh span, whose others rest here.
  void* carve_block(SizeClass c);
  void add(void* block);
  // Relaxed: it is a guess.
  bool has_any() const {
    return returned_.any() || !carved_.empty() ||
           __atomic_load_n(&collected_, __ATOMIC_RELAXED) != 0;
  }

  // Merges them into their spans; at most `most_spans` of these. False: more are waiting.
  bool collect(LockToken lock, size_t most_spans);
  // The same where blocks are looked at before: takes those of one span, which become `words` and
  // the caller's. kNoSlot: there are none.
  Slot take(LockToken lock, uint64_t* words);

 private:
  void merge(LockToken lock, Slot slot);
  size_t collect_carved(LockToken lock, size_t most_spans);

  // It is hardly ever written.
  Region* region_ = nullptr;
  Spans* spans_ = nullptr;
  // It is written without the lock.
  alignas(core::kNoSharing) sync::TakeAllList<> carved_;  // spans, linked by Span::large_slots
  uint32_t collected_ = 0;  // the link of the next one taken from there, or 0
  sync::ReturnedBits<> returned_;
};

}  // namespace mmt::store
