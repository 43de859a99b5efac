#pragma once
// Goes before the plain heap's: a byte for each 16 bytes. See harden/object/states.h.
#include <cstddef>
#include <cstdint>

namespace mmt::store {

inline constexpr size_t kObjectStateBytes = (size_t{1} << 16) / 16;  // of a slot

// And a bit for each slot: it was a block's of whole pages, and what nobody had of it since is
// anything. All other memory that is nobody's is zeros and tails: see harden/states.h.
inline constexpr size_t kSlotMarkBits = 1;

// What the states of a slot become as a span takes it, by its mark; eight at a time.
inline constexpr uint8_t kGarbage = 0x02;
constexpr uint64_t forgotten_states(bool is_marked) {
  return is_marked ? kGarbage * uint64_t{0x0101010101010101} : 0;
}

// A block has so many bytes behind what the program asked for.
inline constexpr size_t kObjectTailBytes = 8;

}  // namespace mmt::store
