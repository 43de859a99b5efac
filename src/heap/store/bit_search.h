#pragma once
// Finds runs of equal bits in a bitmap.
#include <bit>
#include <cstdint>

namespace mmt::store {

// First bit at or above `from` that equals `wanted`, at most `end`, of a bitmap whose words word_at
// tells.
template <class WordAt>
uint32_t next_bit_of(WordAt&& word_at, uint32_t from, uint32_t end, bool wanted) {
  const uint64_t flip = wanted ? 0 : ~uint64_t{0};
  while (from < end) {
    const uint64_t word = (word_at(from / 64) ^ flip) >> (from % 64);
    if (word != 0) {
      const uint32_t found = from + static_cast<uint32_t>(std::countr_zero(word));
      return found < end ? found : end;
    }
    from = (from / 64 + 1) * 64;
  }
  return end;
}

inline uint32_t next_bit(const uint64_t* bits, uint32_t from, uint32_t end, bool wanted) {
  return next_bit_of([bits](uint32_t word) { return bits[word]; }, from, end, wanted);
}

}  // namespace mmt::store
