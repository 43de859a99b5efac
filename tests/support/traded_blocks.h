// Tests: threads that allocate, and free what others have allocated.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

namespace mmt::test {

// Blocks wait in a few places, where any thread finds them. Each block has its size in front and is
// filled by it. Size and filling are looked at before the block goes. Heap: static allocate(bytes),
// free(block).
template <class Heap>
class TradedBlocks {
 public:
  static constexpr int kSteps = 4000;

  // One thread's part; after_step(step) is called between its own.
  template <class AfterStep>
  void work(uint32_t seed, AfterStep&& after_step) {
    std::mt19937 random(seed);
    for (int step = 0; step < kSteps; ++step) {
      const size_t bytes = 8 + random() % (random() % 20 == 0 ? 2000 : 120);
      auto* const made = static_cast<unsigned char*>(Heap::allocate(bytes));
      ASSERT_NE(made, nullptr);
      std::memset(made, static_cast<int>(bytes % 251), bytes);
      std::memcpy(made, &bytes, sizeof bytes);
      release(places_[random() % places_.size()].exchange(made, std::memory_order_acq_rel));
      after_step(step);
    }
  }
  void release_all() {
    for (auto& place : places_) release(place.exchange(nullptr, std::memory_order_acq_rel));
  }

 private:
  static void release(unsigned char* block) {
    if (block == nullptr) return;
    size_t bytes;
    std::memcpy(&bytes, block, sizeof bytes);
    for (size_t i = sizeof bytes; i < bytes; ++i) ASSERT_EQ(block[i], bytes % 251);
    Heap::free(block);
  }

  std::array<std::atomic<unsigned char*>, 32> places_{};
};

}  // namespace mmt::test
