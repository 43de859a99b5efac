#pragma once
// Runs of equal bits in a bitmap.
#include <bit>
#include <cstdint>

namespace mmt::native {

// First bit at or above `from` that equals `wanted`, at most `end`.
inline uint32_t next_bit(const uint64_t* bits, uint32_t from, uint32_t end, bool wanted) {
  const uint64_t flip = wanted ? 0 : ~uint64_t{0};
  while (from < end) {
    const uint64_t word = (bits[from / 64] ^ flip) >> (from % 64);
    if (word != 0) {
      const uint32_t found = from + static_cast<uint32_t>(std::countr_zero(word));
      return found < end ? found : end;
    }
    from = (from / 64 + 1) * 64;
  }
  return end;
}

}  // namespace mmt::native
