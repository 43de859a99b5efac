#pragma once
// Each class of small blocks has its spans. Spans knows which of their blocks are free. Its queues
// give the spans with many free blocks, and those with few, lowest address first.
//
// Calls with a LockToken want the depot lock, and map nothing. carve_span() and carve_whole() may
// map, and are any thread's at any time. The figures without a token are also any thread's at any
// time; they are hints then. Without memory a span's slot is kNoSlot, and nothing has changed.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "heap/store/free_runs.h"
#include "heap/store/lock_token.h"
#include "heap/store/noted_changes.h"
#include "heap/store/region.h"
#include "heap/store/size_class.h"
#include "heap/store/span_queue.h"
#include "heap/store/tally.h"

namespace mmt::store {

// A block is named by its offset from the start of a window of the region. The offset is in units
// of the blocks' least alignment, in 32 bits. A window is as large as such offsets reach.
inline constexpr size_t kOffsetUnitShift = 4;
inline constexpr size_t kWindowShift = 32 + kOffsetUnitShift;

// What a span's pages hold.
enum class SpanMemory : uint8_t {
  kUsed,      // memory that was used before
  kClean,     // nothing: they read as zero and will be faulted in at first touch
  kFrontier,  // nothing, but for what was made resident ahead of use
};

// A span on its way to a client, and what comes with it.
struct SpanSupply {
  Slot slot = kNoSlot;
  SpanMemory memory = SpanMemory::kUsed;
};

class Spans {
 public:
  // Once, before all calls but the figures.
  void open(Region* region, FreeRuns* runs, NotedChanges* changes, Tally* tally);

  // The best span for class `c`: the lowest with many free blocks, else a fresh one. Its free
  // blocks are put into words[0 .. kClasses[c].words) and belong to the caller.
  SpanSupply take_span(LockToken lock, SizeClass c, uint64_t* words);
  // Where no fresh one can be had: the lowest span that has any free blocks to speak of.
  SpanSupply take_poor_span(LockToken lock, SizeClass c, uint64_t* words);
  // Carves a fresh span from the frontier, all blocks free.
  SpanSupply carve_span(SizeClass c, uint64_t* words);

  // Blocks of class `c`, by address or by offset from the start of a window.
  void put_blocks(LockToken lock, SizeClass c, void* const* blocks, size_t count);
  void put_offsets(LockToken lock, SizeClass c, char* window, const uint32_t* offsets,
                   size_t count);
  void put_block(LockToken lock, void* block);
  // The blocks of `words`, all of the span at `slot`.
  void put_words(LockToken lock, Slot slot, const uint64_t* words);

  // Free blocks of class `c` in its spans.
  size_t free_blocks(LockToken, SizeClass c) const { return classes_[c].total_free; }
  size_t class_spans(SizeClass c) const {
    return __atomic_load_n(&classes_[c].spans, __ATOMIC_RELAXED);
  }
  // Whether free blocks of spans were taken or put back since the last call. Under the lock, whose
  // order it has; relaxed, since touched() is a hint, read without.
  bool take_touched(LockToken) {
    const bool touched = touched_.load(std::memory_order_relaxed);
    touched_.store(false, std::memory_order_relaxed);
    return touched;
  }
  bool touched() const { return touched_.load(std::memory_order_relaxed); }

  // --- for the parts that build on these ---

  // A fresh span, all of whose blocks are the caller's.
  Slot carve_whole(SizeClass c);
  // Blocks of word `word` of a span's bitmap become free: settle() afterwards.
  void add_free(LockToken lock, Slot slot, uint64_t bits, uint32_t word);
  // Moves a span whose count of free blocks has changed to where it belongs.
  void settle(LockToken lock, Slot slot) { settle(lock, slot, region_->span(slot)); }
  // Takes all free blocks of this span, as take_span, but it does not count as touched.
  void take_idle(LockToken lock, Slot slot, uint64_t* words);
  // Puts them back, and notes nothing.
  void put_idle(LockToken lock, Slot slot, const uint64_t* words);

 private:
  struct alignas(core::kNoSharing) ClassState {
    SpanQueue rich;
    SpanQueue poor;
    size_t poor_free = 0;   // free blocks in the poor queue
    size_t total_free = 0;  // free blocks in all spans
    size_t spans = 0;
  };

  void format(Slot slot, SizeClass c);
  void format(Slot slot, SizeClass c, uint64_t* words);
  void take_queued(SpanQueue& queue, Slot slot, SizeClass c, uint64_t* words);
  void take_free_bits(Slot slot, Span& span, uint64_t* words);
  void enqueue(Slot slot, Span& span, SpanQueueKind kind);
  void dequeue(Slot slot, Span& span);
  void settle(LockToken lock, Slot slot, Span& span);
  void dissolve(LockToken lock, Slot slot, Span& span);
  template <class OffsetOf>
  void put_each(LockToken lock, SizeClass c, size_t count, OffsetOf&& offset_of);

  // It is hardly ever written.
  Region* region_ = nullptr;
  FreeRuns* runs_ = nullptr;
  NotedChanges* changes_ = nullptr;
  Tally* tally_ = nullptr;
  // Written under the lock, and a count of spans without it.
  ClassState classes_[kClassCount];
  std::atomic<bool> touched_{false};
};

}  // namespace mmt::store
