// Pages that were ever written to, by the addresses of a heap that gives none back: what would be
// resident. A page has 4 KiB, and a bit here. One thread may use it.
#pragma once

#include <cstdint>
#include <vector>

namespace mmt::sim {

class WrittenPages {
 public:
  static constexpr unsigned kBits = 12;

  void add(uint64_t at, uint64_t bytes) {
    if (bytes == 0) return;
    for (uint64_t page = at >> kBits; page <= (at + bytes - 1) >> kBits; ++page) add_page(page);
  }
  uint64_t bytes() const { return pages_ << kBits; }

 private:
  void add_page(uint64_t page) {
    const uint64_t word = page / 64;
    if (word >= words_.size()) words_.resize(word + word / 2 + 64);
    const uint64_t bit = uint64_t{1} << (page % 64);
    if ((words_[word] & bit) != 0) return;
    words_[word] |= bit;
    ++pages_;
  }

  std::vector<uint64_t> words_;
  uint64_t pages_ = 0;
};

}  // namespace mmt::sim
