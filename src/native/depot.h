#pragma once
// The native depot: where blocks come from and where surplus goes back, in address order.
//
// Calls with a LockToken want the depot lock held by the caller; they are short and make no system
// call, so that they find no memory beyond what is mapped. The others are lock-free and may be
// called by any thread at any time, also in a signal handler; those that carve map more. Nothing
// here ever writes user memory. A null result means that no memory can be had; nothing has changed
// then.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/sync/counter.h>
#include <mmt/sync/returned_bits.h>
#include <mmt/sync/take_all_list.h>
#include <mmt/sync/try_lock.h>

#include "native/depot_usage.h"
#include "native/free_runs.h"
#include "native/large_growth.h"
#include "native/large_runs.h"
#include "native/lock_token.h"
#include "native/noted_changes.h"
#include "native/own_mappings.h"
#include "native/prepared_memory.h"
#include "native/purging.h"
#include "native/region.h"
#include "native/seams.h"
#include "native/size_class.h"
#include "native/span_queue.h"
#include "native/tally.h"

namespace mmt::native {

// Blocks are named by their offset from the start of a window of the region, in units of their
// least alignment, in 32 bits: so large is a window.
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

class Depot {
 public:
  using Lock = sync::TryLock<>;

  // Once, before anything else; see Region::open. False when no memory can be had.
  bool open(bool huge_pages, Slot first = 0);

  Region& region() { return region_; }
  Budget& budget() { return region_.budget(); }
  Seams& seams() { return seams_; }
  Lock& lock() { return lock_; }
  FreeRuns& runs() { return runs_; }
  PreparedMemory& prepared() { return prepared_; }
  Purging& purging() { return purging_; }
  LargeRuns& large() { return large_; }
  LargeGrowth& growth() { return growth_; }
  OwnMappings& mapped() { return mapped_; }
  NotedChanges& changes() { return changes_; }
  Tally& tally() { return tally_; }

  // --- spans ---

  // The best span for class `c`: the lowest with many free blocks, else a fresh one. Its free
  // blocks are put into words[0 .. kClasses[c].words) and belong to the caller.
  SpanSupply take_span(LockToken lock, SizeClass c, uint64_t* words);
  // A fresh span from the frontier, all blocks free. Lock-free.
  SpanSupply carve_span(SizeClass c, uint64_t* words) {
    return carve_span_within<Reach::kAnywhere>(c, words);
  }
  // Where no fresh one can be had: the lowest span that has any free blocks to speak of.
  SpanSupply take_poor_span(LockToken, SizeClass c, uint64_t* words);

  // Blocks of class `c`, by address or by offset from the start of a window.
  void put_blocks(LockToken lock, SizeClass c, void* const* blocks, size_t count);
  void put_offsets(LockToken lock, SizeClass c, char* window, const uint32_t* offsets,
                   size_t count);
  void put_block(LockToken lock, void* block);
  // The blocks of `words`, all of the span at `slot`.
  void put_words(LockToken lock, Slot slot, const uint64_t* words);

  // Gives a block back without the lock: it rests in the span's returned bitmap until
  // collect_returned.
  void return_block(void* block);
  // Relaxed: a guess.
  bool has_returned() const {
    return returned_.any() || !carved_.empty() ||
           __atomic_load_n(&collected_carved_, __ATOMIC_RELAXED) != 0;
  }
  // Merges returned blocks into their spans; at most `most_spans` of them. False: more are waiting.
  bool collect_returned(LockToken lock, size_t most_spans);
  // The same where blocks are looked at before: takes those of one span, which become `words` and
  // the caller's. kNoSlot: there are none.
  Slot take_returned(LockToken lock, uint64_t* words);

  // Blocks one at a time, for threads without a client and for thrifty ones. nullptr when memory is
  // short. They come from a span of each class that the depot has for that.
  enum class BlockSource : uint8_t { kAny, kPoorSpans };  // see take_poor_span
  void* take_block(LockToken lock, SizeClass c, BlockSource from = BlockSource::kAny);
  // The first block of a fresh span, whose others rest until collect_returned. Lock-free.
  void* carve_block(SizeClass c);
  // Those spans become as others.
  void put_singles(LockToken lock);

  // See FreeRuns::keep_memory; the depot's own tables stay resident, too. Any thread, also before
  // open.
  void keep_memory(bool keep) {
    runs_.keep_memory(keep);
    if (keep && region_.base() != nullptr) region_.keep_tables_resident();
  }

  // --- thinning: free pages of spans that live blocks keep ---

  // Looks at up to `most` places from slot *from on, which it moves on, through the frontier at
  // most. Spans touched since the last look are noted as seen; the free blocks of the first that
  // was seen so already are taken into `words`, and its slot is the result; else kNoSlot.
  Slot begin_thin(LockToken lock, Slot* from, size_t most, uint64_t* words);
  // Gives whole free pages back to the OS, without the lock; returns how many bytes.
  size_t thin_pages(Slot slot, const uint64_t* words, Discard discard = nullptr);
  // The blocks are the depot's again.
  void end_thin(LockToken lock, Slot slot, const uint64_t* words);
  // Whether free blocks of spans were taken or put back since the last call. Under the lock, whose
  // order it has; relaxed, since spans_touched is a hint, read without.
  bool take_spans_touched(LockToken) {
    const bool touched = spans_touched_.load(std::memory_order_relaxed);
    spans_touched_.store(false, std::memory_order_relaxed);
    return touched;
  }
  bool spans_touched() const { return spans_touched_.load(std::memory_order_relaxed); }

  void measure(LockToken lock, DepotUsage* usage);
  DepotUsage usage(LockToken lock) {
    DepotUsage usage;
    measure(lock, &usage);
    return usage;
  }
  // Free blocks of class `c` in the depot.
  size_t free_blocks(LockToken lock, SizeClass c) const;
  size_t class_spans(SizeClass c) const {
    return __atomic_load_n(&classes_[c].spans, __ATOMIC_RELAXED);
  }

  // --- fork: with signals blocked ---

  // The lock's holder is about to fork: when this returns, no thread is mapping, and until
  // end_fork only the holder can. In between it may use all calls.
  void begin_fork(LockToken) { region_.hold_mapping(); }
  // The parent.
  void end_fork(LockToken) { region_.release_mapping(); }
  // The child, whatever the state of its parent was: nobody holds the lock, nobody maps.
  void reset_in_child() {
    region_.reset_in_child();
    lock_.reset_in_child();
    tally_.begin_anew(runs_);
  }

 private:
  struct ClassState {
    SpanQueue rich;
    SpanQueue poor;
    size_t poor_free = 0;   // free blocks in the poor queue
    size_t total_free = 0;  // free blocks in the depot
    size_t spans = 0;
    // take_block's own span: its slot + 1, 0 for none, and its blocks.
    Slot single_link = 0;
    uint64_t single[kMaxBitmapWords] = {};
  };

  template <Reach kReach>
  SpanSupply carve_span_within(SizeClass c, uint64_t* words) {
    const uint32_t slots = kClasses[c].span_slots;
    const Slot slot = runs_.carve<kReach>(slots, slots);
    if (slot == kNoSlot) return {};
    format_span(slot, c, words);
    return {slot, SpanMemory::kFrontier};
  }
  void format_span(Slot slot, SizeClass c);
  void format_span(Slot slot, SizeClass c, uint64_t* words);
  void take_queued(SpanQueue& queue, Slot slot, SizeClass c, uint64_t* words);
  void take_free_bits(Slot slot, Span& span, uint64_t* words);
  void enqueue(Slot slot, Span& span, SpanQueueKind kind);
  void dequeue(Slot slot, Span& span);
  void settle(LockToken lock, Slot slot, Span& span);
  void dissolve(LockToken lock, Slot slot, Span& span);
  void add_free(Slot slot, uint64_t bits_word, uint32_t word, uint32_t count);
  template <class OffsetOf>
  void put_each(LockToken lock, SizeClass c, size_t count, OffsetOf&& offset_of);
  void merge_returned(LockToken lock, Slot slot);
  size_t collect_carved(LockToken lock, size_t most_spans);

  Region region_;
  Seams seams_;
  alignas(core::kNoSharing) Lock lock_;
  FreeRuns runs_;
  LargeRuns large_;
  Purging purging_;
  // Written under the lock.
  alignas(core::kNoSharing) OwnMappings mapped_;
  LargeGrowth growth_;
  ClassState classes_[kClassCount];
  Tally tally_;
  NotedChanges changes_;
  PreparedMemory prepared_;
  std::atomic<bool> spans_touched_{false};  // may be read without the lock
  // Written without it.
  alignas(core::kNoSharing)
      sync::TakeAllList<> carved_;  // spans of carve_block, linked by Span::large_slots
  uint32_t collected_carved_ = 0;   // as above
  sync::ReturnedBits<> returned_;
};

}  // namespace mmt::native
