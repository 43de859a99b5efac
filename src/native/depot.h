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

#include "native/clean_parts.h"
#include "native/depot_usage.h"
#include "native/free_runs.h"
#include "native/lock_token.h"
#include "native/noted_changes.h"
#include "native/own_mappings.h"
#include "native/prepared_memory.h"
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

enum class PurgeResult : uint8_t {
  kClean,  // the run holds no memory now
  kDirty,  // the system refused
  kLost,   // a place that could not be mapped again: foreign from now on
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
  // Relaxed: a guess, which the lock makes sure.
  bool has_returned_large() const {
    return __atomic_load_n(&collected_large_, __ATOMIC_RELAXED) != 0 || !returned_large_.empty();
  }
  // Takes back returned large blocks and runs; at most so many. False: more are waiting.
  bool collect_large(LockToken lock, size_t most);
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

  // --- large blocks (above kMaxClassSize) ---

  // *clean: what of the block's `bytes` holds no memory. `alignment` is a power of two.
  void* take_large(LockToken lock, size_t bytes, size_t alignment, CleanParts* clean);
  // All of it holds no memory.
  void* carve_large(size_t bytes, size_t alignment);
  // `moved`: the pages of its extent (see large_extent) were moved away.
  void give_large(LockToken lock, void* block, bool moved = false);
  // Its address range is lost to the heap: from now on it is as foreign as somebody else's mapping.
  // Without the lock.
  void abandon_large(void* block);
  // give_large without the lock: it becomes free when somebody holds the lock next.
  void return_large(void* block, bool moved = false);
  // Grows or shrinks where it stands. False: there is no room. *fresh: bytes that hold no memory
  // among what was added, where that is no room of which clean_room_end knows.
  bool resize_large(LockToken lock, void* block, size_t bytes, size_t* fresh);
  // Bytes from a large block's start that may hold memory.
  size_t large_extent(const void* block) const {
    return size_t{region_.span(region_.slot_of(block)).used_slots} << kSlotShift;
  }
  // Bytes from a large block's start to the end of its room to grow, where that reads as zero from
  // large_extent() on; else 0.
  size_t clean_room_end(const void* block) const {
    const Span& span = region_.span(region_.slot_of(block));
    return span.clean_room ? size_t{span.large_slots} << kSlotShift : 0;
  }
  // A block of `bytes` that reads as zero, with room to grow, to which the caller moves the first
  // `extent` bytes, a multiple of slots, from elsewhere.
  void* take_growing(LockToken lock, size_t bytes, size_t extent);
  // Maps what the frontier needs for such a block, or for one at the frontier to grow, so that they
  // are found under the lock. Without it.
  void map_for_growing(size_t bytes, size_t extent);
  void map_for_resizing(const void* block, size_t bytes);
  // Bytes ever taken at the frontier for such extents: growth of the heap that uses no new memory.
  size_t growing_bytes() const { return growing_slots_.get() << kSlotShift; }
  // So many bytes from its start may hold memory now.
  void note_filled(void* block, size_t bytes);
  // All but so many bytes, a multiple of slots, is lost to the heap, as by abandon_large.
  void cut_large(void* block, size_t bytes);

  // --- returning memory to the OS (the caller makes the system call in between) ---

  // Takes a run of dirty free slots out of the free map; its length in slots, 0 for none.
  size_t begin_purge(LockToken lock, Slot from, size_t most, bool aged_only, Slot* first);
  // The highest such run.
  size_t begin_purge_top(LockToken lock, size_t most, Slot* first);
  // Gives them back to the free map, clean or (when the OS refused) as they were.
  void end_purge(LockToken lock, Slot first, size_t count, bool clean);
  // The same without the lock: they are free when somebody holds the lock next.
  void return_purged(Slot first, size_t count, bool clean);
  // They are lost to the heap, as by abandon_large.
  void abandon_run(LockToken lock, Slot first, size_t count);
  // See FreeRuns::keep_memory; the depot's own tables stay resident, too. Any thread, also before
  // open.
  void keep_memory(bool keep) {
    runs_.keep_memory(keep);
    if (keep && region_.base() != nullptr) region_.keep_tables_resident();
  }
  // A large block would be of fresh memory, though as much lies free and resident.
  bool is_scattered(LockToken lock, size_t bytes, size_t alignment);
  // Gives the run's memory back to the OS: between begin_purge and end_purge, without the lock.
  // `discard`: by this function, if there is one. What is lost is no longer the caller's to give
  // back.
  using Discard = bool (*)(void* at, size_t bytes);
  PurgeResult purge_pages(Slot first, size_t count, Discard discard = nullptr);
  // A run of free slots that holds no memory is mapped anew where that makes mappings fewer; as
  // purge_pages otherwise.
  PurgeResult renew_pages(Slot first, size_t count);

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
  template <Reach kReach>
  void* carve_large_within(size_t bytes, size_t alignment);
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
  Slot take_dirty_run(LockToken lock, size_t count, size_t alignment);
  void return_run(Slot slot, bool emptied);
  void* format_large(Slot slot, size_t count, size_t bytes);
  void give_room(LockToken lock, Slot slot, const Span& span);
  void find_clean_parts(LockToken lock, Slot first, size_t bytes, CleanParts* clean);
  void set_large_bytes(Span& span, size_t bytes);

  Region region_;
  Seams seams_;
  alignas(core::kNoSharing) Lock lock_;
  FreeRuns runs_;
  // Written under the lock.
  alignas(core::kNoSharing) OwnMappings mapped_;
  ClassState classes_[kClassCount];
  Tally tally_;
  NotedChanges changes_;
  sync::Counter<> growing_slots_;  // may be read without the lock
  PreparedMemory prepared_;
  std::atomic<bool> spans_touched_{false};  // may be read without the lock
  // Written without it.
  alignas(core::kNoSharing) sync::TakeAllList<> returned_large_;  // large blocks, and runs of
                                                                  // return_purged (class kNoClass)
  uint32_t collected_large_ = 0;   // the link of the next one taken from there, or 0
  sync::TakeAllList<> carved_;     // spans of carve_block, linked by Span::large_slots
  uint32_t collected_carved_ = 0;  // as above
  sync::ReturnedBits<> returned_;
};

}  // namespace mmt::native
