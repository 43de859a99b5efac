#pragma once
// Leaves a record in the chunk that the calling thread has in the pool. Any thread may do so at any
// time, also in a signal handler that interrupts this very function and never returns to it. It
// allocates nothing, and leaves errno alone. No record is left where no pool is, or nobody reads it
// any more.
//
// A place in the chunk is claimed by one instruction that no signal can divide. So records that a
// handler leaves stand behind the interrupted one, which may stay empty.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "trace/pool.h"

namespace mmt::trace {

// The phase of this process. The kernel zeroes the page in every child of a fork, however it was
// made, which therefore begins anew.
enum class Phase : uint32_t {
  kNone,       // nothing is known yet
  kBeginning,  // a thread tells of the process; others wait for it
  kBegun,      // for good; where nothing is recorded, `base` is nullptr
};
struct alignas(4096) Life {
  // The pool, as long as records need neither stamp nor site. Then every thread that has a chunk
  // has one of short records; which is to say, the one thread that there is.
  std::atomic<char*> plain;
  std::atomic<char*> base;  // the pool; nullptr: none, or not looked for yet
  std::atomic<uint32_t> process;
  std::atomic<uint32_t> threads;
  std::atomic<bool> is_stamped;  // more than one thread has made a call
  std::atomic<bool> has_sites;
  std::atomic<uint32_t> pid_space;  // as in ChunkHead
  std::atomic<Phase> phase;
  std::atomic<bool> has_own_pool;  // else what is mapped is its parent's
};
extern Life life;

// Where this thread writes next, from the pool's start, and kLong where its chunk is of long
// records. If that is the start of a chunk, the thread needs another one. What the chunk itself
// says is not trusted.
extern constinit thread_local uint64_t own_place;
inline constexpr uint64_t kLong = 1;
static_assert(kShortRecord % 2 == 0 && sizeof(ChunkHead) % 2 == 0);
// The call of an operator of another library that is going to call malloc: its caller is meant.
extern constinit thread_local const void* outer_caller;

MMT_ALWAYS_INLINE uint64_t word_of(RecordKind kind, const void* address, uint64_t alignment = 0) {
  return static_cast<uint64_t>(kind) << kKindShift | alignment << kAddressBits |
         reinterpret_cast<uint64_t>(address);
}

// A stamp of after the call must not be read before the call is done: others may free or reuse what
// it gave only later. One of before the call may be read late, but not after the block is out.
enum class Side { kBefore, kAfter };

// All other records than plain ones, and those for which a chunk is needed first.
void leave_any(Side side, uint64_t what, uint64_t bytes, const void* caller);

// How far ahead lines are asked for: the reader, which has zeroed them, may have them in its cache.
inline constexpr size_t kAhead = 4 * core::kCacheLine;

template <Side kSide>
MMT_ALWAYS_INLINE void leave(uint64_t what, uint64_t bytes, const void* caller) {
  const uint64_t place = own_place;
  char* const base = life.plain.load(std::memory_order_relaxed);
  if (MMT_UNLIKELY(place % kChunkBytes == 0 || base == nullptr ||
                   !core::replace_in_thread(own_place, place, place + kShortRecord))) {
    leave_any(kSide, what, bytes, caller);
    return;
  }
  auto* const record = reinterpret_cast<Record*>(base + place);
  core::prefetch_for_write(base + place + kAhead);
  if constexpr (kSide == Side::kAfter) record->bytes = bytes;
  // Release, for the reader's acquire.
  record->what.store(what, std::memory_order_release);
}

}  // namespace mmt::trace
