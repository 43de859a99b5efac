// This map tells which of kCount bins may hold a block, one bit each. A bit may be left set for a
// bin that has become empty; a caller that finds such a bin clears the bit. The map is for one
// thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

namespace mmt::layers {

template <size_t kCount>
class BinMap {
 public:
  void set(size_t c) { words_[word_of(c)] |= bit(c); }
  void reset(size_t c) { words_[word_of(c)] &= ~bit(c); }
  bool test(size_t c) const { return (words_[word_of(c)] & bit(c)) != 0; }
  void reset() {
    for (uint64_t& word : words_) word = 0;
  }

  // What is the first non-null result of use(c), for the bins whose bit is set, from c = first on.
  // Null: there is none. Here and above, a bin's number is less than kCount.
  template <class Use>
  MMT_ALWAYS_INLINE void* search(size_t first, Use use) {
    size_t w = word_of(first);
    uint64_t bits = words_[w] & (~uint64_t{0} << first % kBits);
    while (true) {
      for (; bits != 0; bits &= bits - 1) {
        const size_t c = w * kBits + static_cast<size_t>(std::countr_zero(bits));
        if (void* result = use(c); MMT_LIKELY(result != nullptr)) return result;
      }
      if (++w == kWords) return nullptr;
      bits = words_[w];
    }
  }

 private:
  static constexpr size_t kBits = 64;
  static constexpr size_t kWords = (kCount + kBits - 1) / kBits;

  static constexpr size_t word_of(size_t c) { return kWords == 1 ? 0 : c / kBits; }
  static uint64_t bit(size_t c) { return uint64_t{1} << c % kBits; }

  uint64_t words_[kWords] = {};
};

}  // namespace mmt::layers
