#pragma once
// The state of an object is told by one byte for each 16 bytes of the region
// (heap/store/object_states.h). The byte of a block's first 16 bytes says whether it is live or
// freed, and by which family of names it was allocated. The next bytes say how much of the block
// the program did not ask for. Their uppermost bit is never set, so that the address of no inner
// byte passes for a block.
//
//   0            never handed out since the span was laid out; its bytes are zero, or tails
//   kGarbage     the same, but its bytes are anything
//   kLive | f    the program's, allocated by the family f
//   kClaimed | f a thread just lays it out, or frees it: nobody else may think anything of its
//   bytes kFreed | f   freed; its bytes are zero, but for the last word (words.h)
//
// A free claims the block by one compare-and-exchange from live to claimed. While the process has
// one thread, this takes no lock on the bus: a signal cannot interrupt one instruction.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "heap/store/region.h"
#include "names/call.h"

namespace mmt::harden {

using names::Form;

inline constexpr uint8_t kUnknown = 0;
inline constexpr uint8_t kLive = 0x80;
inline constexpr uint8_t kFreed = 0xC0;
inline constexpr uint8_t kClaimed = 0xE0;
inline constexpr uint8_t kTold = 0x10;  // of a freed block: that it was written to is reported
inline constexpr uint8_t kFormMask = 0x07;

constexpr uint8_t live(Form form) { return static_cast<uint8_t>(kLive | static_cast<int>(form)); }
constexpr bool is_live(uint8_t state) { return (state & 0xC0) == kLive; }
// Or being freed.
constexpr bool is_freed(uint8_t state) { return (state & 0xC0) == kFreed; }
constexpr bool is_claimed(uint8_t state) { return (state & 0xE0) == kClaimed; }
constexpr bool is_at_rest(uint8_t state) { return (state & 0xE0) == kFreed; }
constexpr Form form_of(uint8_t state) { return static_cast<Form>(state & kFormMask); }

// Where the states would lie of an address 0, once the region is open.
extern uint8_t* states_of_zero;
// The states of the block at `block`, which lies in the region.
MMT_ALWAYS_INLINE uint8_t* states_of(const void* block) {
  return states_of_zero + reinterpret_cast<uintptr_t>(block) / 16;
}

// Whether the process has had more than one thread that uses the heap. Relaxed: who makes it true
// has waited until no thread is amid a claim that did not see it (quarantine.cpp).
extern bool is_shared;

// From live to claimed; false: it was not live by this family, and nothing has changed.
MMT_ALWAYS_INLINE bool claim(uint8_t* state, uint8_t from) {
  const auto to = static_cast<uint8_t>(from | kClaimed);
#if defined(__x86_64__)
  if (MMT_LIKELY(!__atomic_load_n(&is_shared, __ATOMIC_RELAXED))) {
    bool is_claimed;
    __asm__ volatile("cmpxchgb %3, %1"
                     : "=@ccz"(is_claimed), "+m"(*state), "+a"(from)
                     : "q"(to)
                     : "memory");
    return is_claimed;
  }
#endif
  return __atomic_compare_exchange_n(state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

// Before a block that nobody else has is laid out. The patrol sees it before it sees the bytes.
MMT_ALWAYS_INLINE void set_claimed(uint8_t* state) {
  __atomic_store_n(state, kClaimed, __ATOMIC_RELAXED);
  std::atomic_thread_fence(std::memory_order_release);
}

// From claimed to freed. Release: its bytes are zero before.
MMT_ALWAYS_INLINE void set_freed(uint8_t* state) {
  const auto freed = static_cast<uint8_t>(*state & ~(kClaimed ^ kFreed));
  __atomic_store_n(state, freed, __ATOMIC_RELEASE);
}

// That it was written to since it was freed is told from now on. False: it is told already, or
// just taken.
inline bool mark_told(uint8_t* state) {
  uint8_t seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);
  if (!is_at_rest(seen) || (seen & kTold) != 0) return false;
  return __atomic_compare_exchange_n(state, &seen, static_cast<uint8_t>(seen | kTold), false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// What of a block lies behind the bytes that the program asked for: its last word, and `excess`
// bytes before that. Seven bits a byte: one for most blocks, three more for the others, which have
// at least 512 bytes.
inline constexpr uint8_t kLongExcess = 0x7f;

MMT_ALWAYS_INLINE void set_live(uint8_t* state, Form form, size_t excess) {
  if (MMT_UNLIKELY(excess >= kLongExcess)) {
    for (unsigned i = 0; i < 3; ++i) state[2 + i] = excess >> 7 * i & 0x7f;
    excess = kLongExcess;
  }
  const auto both = static_cast<uint16_t>(live(form) | excess << 8);
  // One store. Release: the block is laid out before.
  __atomic_store_n(reinterpret_cast<uint16_t*>(state), both, __ATOMIC_RELEASE);
}
MMT_ALWAYS_INLINE size_t excess_of(const uint8_t* state) {
  const size_t excess = state[1];
  if (MMT_LIKELY(excess != kLongExcess)) return excess;
  return state[2] | size_t{state[3]} << 7 | size_t{state[4]} << 14;
}

// By how many bits the alignment is told that an aligned new asked for. Such blocks have at least
// three bytes of states, six where the excess is a long one.
inline constexpr size_t kLeastAlignedSize = 33;

constexpr bool is_aligned(Form form) {
  return form == Form::kNewAligned || form == Form::kNewArrayAligned;
}
inline uint8_t alignment_width_of(const uint8_t* state) {
  return state[state[1] == kLongExcess ? 5 : 2];
}
inline void set_alignment_width(uint8_t* state, unsigned width) {
  state[state[1] == kLongExcess ? 5 : 2] = static_cast<uint8_t>(width);
}

}  // namespace mmt::harden
