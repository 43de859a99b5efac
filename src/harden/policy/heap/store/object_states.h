#pragma once
// Goes before the plain heap's: a byte for each 16 bytes. See harden/object/states.h.
#include <cstddef>
#include <cstdint>

namespace mmt::store {

inline constexpr size_t kObjectStateBytes = (size_t{1} << 16) / 16;  // of a slot

// What the states of a slot become as a span takes it, whose first is so; eight at a time. Memory
// that was a block's of whole pages is anything, all other memory is zeros and tails: see
// harden/states.h.
inline constexpr uint8_t kUncleanSlot = 0x08;
inline constexpr uint8_t kGarbage = 0x02;
constexpr uint64_t forgotten_states(uint8_t first) {
  return (first & kUncleanSlot) != 0 ? kGarbage * uint64_t{0x0101010101010101} : 0;
}

// A block has so many bytes behind what the program asked for.
inline constexpr size_t kObjectTailBytes = 8;

}  // namespace mmt::store
