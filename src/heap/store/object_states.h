#pragma once
// A heap may keep a byte for each 16 bytes of its region. By these its library knows what of a
// block is the program's (src/harden). The plain heap keeps none.
#include <cstddef>
#include <cstdint>

namespace mmt::store {

inline constexpr size_t kObjectStateBytes = 0;  // of a slot
// And a bit for each slot, of what lies there.
inline constexpr size_t kSlotMarkBits = 0;

// What the states of a slot become as a span takes it, by its mark; eight at a time.
constexpr uint64_t forgotten_states(bool /*is_marked*/) { return 0; }

// A block has so many bytes behind what the program asked for.
inline constexpr size_t kObjectTailBytes = 0;

}  // namespace mmt::store
