#pragma once
// The pool of guarded places. A place has room for one block, and pages around it that nobody may
// touch. The block lies at one end of the room, by chance. On the right, its end is that of its
// last page, but for its alignment; on the left, it begins with its first. Between blocks the whole
// place is shut, and the one that was freed first is the next to be opened.
//
// A place's word has its state, and when it was freed:
//
//   free      shut; its record tells of the last block
//   opening, closing   a thread's alone, for a few instructions and calls
//   live      the program's
//   told      something was reported of it: it is open, and it stays so, and is not used again
//   told_live the same, and the program has not freed it yet
//
// Whoever changes a word from live, or from free, has the record to itself. Nothing waits for
// anything, so that handlers of signals may come between. A fork's child has all places as they
// are.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>

#include "harden/stack.h"

namespace mmt::guard {

inline constexpr size_t kPlaces = 256;
inline constexpr size_t kMostLive = 64;
inline constexpr size_t kRoomBytes = size_t{64} << 10;  // the largest block
inline constexpr size_t kGuardBytes = sys::kPageSize;
inline constexpr size_t kStride = kGuardBytes + kRoomBytes;
// A guard before each room, and one behind the last.
inline constexpr size_t kPoolBytes = kPlaces * kStride + kGuardBytes;

enum class State : uint8_t { kFree, kOpening, kLive, kClosing, kTold, kToldLive };

// What is told of a place's block.
struct Record {
  char* block = nullptr;
  uint32_t bytes = 0;  // that the program asked for
  harden::Stack allocated{};
  harden::Stack freed{};
  harden::Stack found{};
  std::atomic<uint32_t> retries{0};  // of accesses that found it shut, and open again
};

using Place = uint32_t;
inline constexpr Place kNoPlace = ~Place{0};

class Pool {
 public:
  // Once. Without memory there are no places.
  void reserve();

  MMT_ALWAYS_INLINE bool contains(const void* address) const {
    // Relaxed: whoever has an address of the pool sees where the pool is.
    const uintptr_t base = base_.load(std::memory_order_relaxed);
    return reinterpret_cast<uintptr_t>(address) - base < kPoolBytes && base != 0;
  }

  // Whether another block may come: the more are live, the less often. Blocks that live for long
  // would have all places soon otherwise. Relaxed: a number by which nothing else is found.
  bool lets_in(uint64_t random) const {
    const uint64_t live = live_.load(std::memory_order_relaxed);
    const uint64_t room = live < kMostLive ? kMostLive - live : 0;
    return random % (kMostLive * kMostLive) < room * room;
  }

  // A place that is opening, with a block of so many bytes laid out; kNoPlace: there is none.
  // `alignment` is a power of two below that of pages.
  Place open(size_t bytes, size_t alignment, uint64_t random);
  // The block is the program's.
  void hand_out(Place place);

  // In whose room the address lies, or in the guard before that.
  Place place_of(const void* address) const;
  // The page before its room.
  const char* guard_before(Place place) const { return room(place) - kGuardBytes; }
  Record& record(Place place) { return records_[place]; }
  State state(Place place) const { return state_of(word(place)); }
  bool was_used(Place place) const { return records_[place].block != nullptr; }
  // The pages of its block, which are open while it is live.
  bool is_on_pages(Place place, const void* address) const;

  // What the program asked for and has, in all live blocks.
  size_t live_bytes() const;

  // From one state to another. False: it was in a third, and nothing has changed.
  bool change(Place place, State from, State to);
  // The first byte that is not as it was laid out, around a block that is closing; nullptr: none.
  const char* damage(Place place) const;
  // From closing to free. Its pages are shut.
  void close(Place place);
  // For good: its room, and the guard beside it that an access met, if any. False: the kernel
  // refuses.
  bool open_for_good(Place place, const void* met = nullptr);

  // A fork's child: what other threads were about to do does not happen.
  void renew_in_child();

 private:
  static State state_of(uint64_t word) { return static_cast<State>(word & 7); }
  uint64_t word(Place place) const {
    // Acquire: with a state comes the record. Partner: every change of a state.
    return words_[place].load(std::memory_order_acquire);
  }
  char* room(Place place) const;
  Place take_oldest();
  void lay_out(Place place, size_t bytes, size_t alignment, uint64_t random);

  std::atomic<uintptr_t> base_{0};
  std::atomic<uint32_t> live_{0};
  std::atomic<uint64_t> frees_{0};
  std::atomic<uint64_t> words_[kPlaces]{};
  Record records_[kPlaces]{};
};

extern Pool pool;

}  // namespace mmt::guard
