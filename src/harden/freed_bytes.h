#pragma once
// What freed bytes look like: zeros, or what the settings fill them with. Pages that went back to
// the system read as zero.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "harden/settings.h"

namespace mmt::harden {

MMT_ALWAYS_INLINE bool is_freed_word(uint64_t word) {
  return word == 0 || word == settings.freed_byte * uint64_t{0x0101010101010101};
}

// `bytes` is a multiple of eight. Others may be writing there.
inline bool are_as_freed(const char* from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 8) {
    const auto* const word = reinterpret_cast<const uint64_t*>(from + at);
    if (!is_freed_word(__atomic_load_n(word, __ATOMIC_RELAXED))) return false;
  }
  return true;
}

// The first that is not.
inline size_t first_not_as_freed(const char* from, size_t bytes) {
  size_t at = 0;
  while (at < bytes && (from[at] == 0 || from[at] == static_cast<char>(settings.freed_byte))) ++at;
  return at;
}

}  // namespace mmt::harden
