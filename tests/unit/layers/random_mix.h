// Blocks of many sizes that come and go, by a seed; contents are checked when they go.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::layers {

struct MixedBlock {
  unsigned char* data;
  size_t size;
  unsigned char value;

  void fill() const { std::memset(data, value, size); }
  bool is_intact(size_t bytes) const {
    for (size_t i = 0; i < bytes; ++i) {
      if (data[i] != value) return false;
    }
    return true;
  }
};

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  size_t below(size_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state_ >> 33) % bound;
  }

 private:
  uint64_t state_;
};

// Leaves nothing in use.
template <class H>
void mix(H& heap, uint64_t seed, size_t operations, size_t largest) {
  Random random(seed);
  std::vector<MixedBlock> live;
  const auto free_one = [&](size_t i) {
    EXPECT_TRUE(live[i].is_intact(live[i].size));
    heap.free(live[i].data);
    live[i] = live.back();
    live.pop_back();
  };
  for (size_t i = 0; i < operations; ++i) {
    if (!live.empty() && random.below(100) < 45) {
      free_one(random.below(live.size()));
      continue;
    }
    const size_t size = random.below(random.below(largest) + 1);
    auto* data = static_cast<unsigned char*>(heap.malloc(size));
    if (data == nullptr) continue;
    live.push_back({data, size, static_cast<unsigned char>(i)});
    live.back().fill();
  }
  while (!live.empty()) free_one(live.size() - 1);
}

}  // namespace mmt::layers
