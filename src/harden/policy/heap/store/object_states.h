#pragma once
// Goes before the plain heap's: a byte for each 16 bytes. See harden/object/states.h.
#include <cstddef>

namespace mmt::store {

inline constexpr size_t kObjectStateBytes = (size_t{1} << 16) / 16;  // of a slot

// A block has so many bytes behind what the program asked for.
inline constexpr size_t kObjectTailBytes = 8;

}  // namespace mmt::store
