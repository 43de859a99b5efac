#pragma once
// A Client is one application thread's side of the heap. It has a LIFO cache of freed blocks for
// each size class, the span it is filling from, and its channel to the memory thread.
//
// Only its thread writes it, except where stated. A fresh client is all zero bytes, then open().
//
// Signals. A signal sends a fast path (fast_path.h) to the slow one. All other calls run inside an
// Entry (entry.h), during which the thread's `current_fast` is the empty part. So fast paths in a
// signal handler find nothing and come to the slow path, which serves them from the depot.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/client_lease.h>
#include <mmt/sync/counter.h>
#include <mmt/sync/spsc_ring.h>
#include <mmt/sync/try_lock.h>

#include "heap/object/fast_path.h"
#include "heap/store/depot.h"
#include "heap/store/size_class.h"

namespace mmt::heap {

struct Heap;

using store::ClassInfo;
using store::kClassCount;
using store::kClasses;
using store::kNoSlot;
using store::kWindowShift;
using store::LockToken;
using store::SizeClass;
using store::Slot;

// The ring holds surplus blocks on their way to the depot, in batches of one class and one window
// (heap/store/spans.h). A batch is a header, `padding` unused words, and each block's offset.
inline constexpr uint32_t kRingCapacity = 1u << 16;
using SurplusRing = sync::SpscRing<uint32_t, kRingCapacity>;

struct BatchHeader {
  SizeClass size_class;
  uint32_t window;
  uint32_t padding;
  uint32_t count;  // of blocks

  uint32_t words() const { return 1 + padding + count; }
  uint32_t pack() const { return size_class << 25 | window << 17 | padding << 13 | count; }
  static BatchHeader unpack(uint32_t word) {
    return {word >> 25, word >> 17 & 0xff, word >> 13 & 0xf, word & 0x1fff};
  }
};
static_assert(store::kMaxSlots << store::kSlotShift >> kWindowShift <= 1 << 8);
static_assert(kClassCount <= 1 << 7 && store::kMaxCacheLimit < 1 << 13);
static_assert(core::kCacheLine / sizeof(uint32_t) <= 1 << 4);

// A client that has to be thrifty keeps so much of each class, at first and at most. At first that
// is next to nothing: most of hundreds of threads use a class once. All that they take beyond that
// lies among blocks in use, so that it costs whole pages. A thrifty client keeps no blocks above 32
// KiB, since each thread of a pool would keep a set of them.
struct ThriftyCache {
  uint32_t limit;
  uint32_t widest;
};
constexpr std::array<ThriftyCache, kClassCount> make_thrifty_caches() {
  std::array<ThriftyCache, kClassCount> caches{};
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const uint32_t size = kClasses[c].size;
    caches[c].limit = size <= 256 ? 256 / size : 0;
    caches[c].widest = size <= 256     ? 32
                       : size <= 1024  ? 16
                       : size <= 8192  ? 8
                       : size <= 32768 ? 1
                                       : 0;
  }
  return caches;
}
inline constexpr std::array<ThriftyCache, kClassCount> kThriftyCaches = make_thrifty_caches();

// What a top points at while the sweeper takes its cache: null.
extern void* swept_entry;

struct ClientCounters {
  sync::Counter<> refills;       // bitmap words turned into cached blocks
  sync::Counter<> spans_self;    // spans fetched under the depot lock
  sync::Counter<> spans_carved;  // spans taken at the frontier since the lock was busy
  sync::Counter<> flushes;
  sync::Counter<> blocks_flushed;
  sync::Counter<> blocks_returned;  // through bitmaps since the channel was full
};

// What is in memory of a span that was just taken.
enum class SpanPages : uint8_t {
  kUnknown,
  kNone,
  kPrepared,  // all but the pages that are left out: see samples.h
};

class Client {
 public:
  FastPart fast;

  // Where a class's next blocks come from.
  struct Source {
    void** floor;      // the null entry of the class's cache
    void** swept_top;  // where its top was, while that is &swept_entry: see sweeper.h
    char* base;        // first block of the span
    uint64_t* words;   // its free blocks not yet cached
    uint32_t word;     // next word to look at
    uint32_t word_count;
    Slot slot;
    // What is left of the span that holds no memory yet, to be made resident step by step.
    char* fresh;
    char* fresh_end;
    bool zeroed;             // the free blocks of the words were never handed out
    SpanPages pages;         // what they will tell, once all are handed out
    uint8_t widenings_left;  // of its cache until the next refill
    bool flushed;            // since the last refill
    uint32_t spans_taken;    // by its thread
  };

  Source sources[kClassCount];
  ClientCounters counters;

  Heap* heap;                    // whose it is
  uint32_t index;                // in the registry
  std::atomic<uint32_t> thread;  // whose it is, or was
  bool thrifty;                  // it keeps as little as it can: see thrift.h
  bool holds;                    // counted in Heap::holders: something may be in it
  bool restartable;              // fast paths may be used: the kernel knows this thread's rseq area
  size_t widened;  // counted in Heap::widened: what its caches may hold beyond their first size

  // It is set while an Entry is active: the address of its cookie. See Entry.
  std::atomic<uintptr_t> busy_frame;
  std::atomic<bool> swept_now;  // the sweeper has it, or is about to: see sweeper.h
  bool swept;                   // the sweeper's: nothing to be done until its mark changes
  uint64_t mark;                // the sweeper's: what changes when its thread uses it
  uint64_t sent_bytes;          // of surplus, to the channel
  uint32_t flushes_in_a_row;    // no cache ran empty in between
  // The batch that is written into the channel and not handed over yet: see hand_over.h. For
  // statistics; 0 blocks: there is none.
  std::atomic<uint32_t> held_blocks;
  std::atomic<SizeClass> held_class;
  SizeClass busy_class;  // the class whose cache is being rebuilt

  // --- channel: lines that the memory thread reads or writes ---
  alignas(core::kNoSharing) sync::ClientLease<> lease;
  sync::Counter<> zombie_since;                             // monotonic ns
  alignas(core::kNoSharing) sync::Counter<> drained_bytes;  // of surplus; the reader writes it
  sync::TryLock<> reader;                                   // see surplus_reader.h
  // Its first words share a page with the above, and a thrifty client uses no more of it.
  SurplusRing surplus;

  // The thread that uses it is a new one: what it will want of each class is not known yet.
  void begin_life() {
    for (Source& source : sources) source.spans_taken = 0;
  }

  // A client takes so many bytes of a mapping.
  static size_t footprint();
  // Lays the caches out in `footprint()` zero bytes at `this`.
  void open(Heap& whose, uint32_t registry_index);
  // Its pages beyond the first that it used when it was laid out go back to the system. Nothing is
  // in it, and nothing happens to it. How many bytes have gone.
  size_t give_pages_back();
  // Forgets what is cached and where it came from.
  void drop(SizeClass c);
  void drop_source(SizeClass c);
  // Lays the caches out for the other manner of keeping blocks. All of them are empty.
  void set_thrifty(bool value);
  // Returns the words of the span that the client fills class c from: Source::words points at them.
  uint64_t* words(SizeClass c);

  uint32_t cached(SizeClass c) const {
    return static_cast<uint32_t>(fast.top[c] - sources[c].floor);
  }
  uint32_t cache_limit(SizeClass c) const {
    return static_cast<uint32_t>(fast.limit[c] - sources[c].floor);
  }
  // What a cache holds at first, and at most.
  uint32_t first_limit(SizeClass c) const {
    return thrifty ? kThriftyCaches[c].limit : kClasses[c].cache_limit;
  }
  uint32_t widest_limit(SizeClass c) const {
    return thrifty ? kThriftyCaches[c].widest : kClasses[c].widest_cache;
  }
  // At least what is cached: see push_cached.
  void set_cache_limit(SizeClass c, uint32_t blocks) { fast.limit[c] = sources[c].floor + blocks; }
};

// What the fast paths do, inside an Entry, where nothing can interfere.
inline void* pop_exclusive(Client& client, SizeClass c) {
  void** top = client.fast.top[c];
  if (*top == nullptr) return nullptr;
  client.fast.top[c] = top - 1;
  return *top;
}

inline bool push_exclusive(Client& client, SizeClass c, void* block) {
  void** top = client.fast.top[c];
  if (top >= client.fast.limit[c]) return false;
  top[1] = block;
  client.fast.top[c] = top + 1;
  return true;
}

}  // namespace mmt::heap
