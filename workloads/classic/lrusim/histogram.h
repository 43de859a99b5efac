// How often each stack distance was seen. Counts are in blocks that are made when first needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/array.h"
#include "base/memory.h"

namespace mmt::workloads::classic::lrusim {

class Histogram {
 public:
  Histogram() = default;
  ~Histogram() {
    for (uint64_t* block : blocks_) std::free(block);
  }
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;

  void add(uint64_t distance) {
    while (blocks_.size() <= distance / kBlock) blocks_.add(nullptr);
    uint64_t*& block = blocks_[distance / kBlock];
    if (block == nullptr) {
      block = allocate_array<uint64_t>(kBlock);
      std::fill(block, block + kBlock, uint64_t{0});
    }
    ++block[distance % kBlock];
  }

  // No distance is this large.
  uint64_t limit() const { return blocks_.size() * kBlock; }

  uint64_t count(uint64_t distance) const {
    if (distance >= limit() || blocks_[distance / kBlock] == nullptr) return 0;
    return blocks_[distance / kBlock][distance % kBlock];
  }

  uint64_t total() const {
    uint64_t result = 0;
    for (uint64_t distance = 0; distance < limit(); ++distance) result += count(distance);
    return result;
  }

  // References that an LRU memory of `pages` pages has to fetch: the first ones, noted as distance
  // 0, and those from further away.
  uint64_t faults(uint64_t pages) const {
    uint64_t result = count(0);
    for (uint64_t distance = pages + 1; distance < limit(); ++distance) result += count(distance);
    return result;
  }

 private:
  static constexpr size_t kBlock = 256;

  Array<uint64_t*> blocks_;
};

}  // namespace mmt::workloads::classic::lrusim
