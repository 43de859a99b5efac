// This is one batch of blocks from the memory thread to one client, of one size class.
//
// A box is filling or full. A filling box is the memory thread's, which adds blocks under the
// depot's lock. So a fork's child finds each of the blocks either here or in the depot. A full box
// is the client's, until the client has taken all. All zero is valid: filling, with nothing in it.
#pragma once

#include <atomic>
#include <cstdint>

#include <mmt/core/compiler.h>

namespace mmt::layers {

class SupplyBox {
 public:
  static constexpr uint32_t kMost = 31;

  // --- the memory thread ---
  // Acquire: the client has read what was in it before it is written again; see take_all().
  bool is_filling() const { return full_.load(std::memory_order_acquire) == 0; }
  // Any thread may ask, as a guess. Relaxed: full_ hands over what is counted.
  uint32_t count() const { return count_.load(std::memory_order_relaxed); }
  // With the depot's lock held while it fills, or the client's.
  void* const* blocks() const { return blocks_; }
  void add(void* block) {
    blocks_[count()] = block;
    count_.store(count() + 1, std::memory_order_relaxed);
  }
  // Release: the blocks, and what the depot wrote into them, come before the client takes them.
  void hand_over() { full_.store(1, std::memory_order_release); }

  // --- the client ---
  // Acquire: see hand_over().
  bool is_full() const { return full_.load(std::memory_order_acquire) != 0; }
  // All of it, so that the block added first is taken first from the end of `to`. It must be full.
  uint32_t take_all(void** to) {
    const uint32_t taken = count();
    for (uint32_t i = 0; i < taken; ++i) to[i] = blocks_[taken - 1 - i];
    count_.store(0, std::memory_order_relaxed);
    // Release: read before it may be written again; see is_filling().
    full_.store(0, std::memory_order_release);
    return taken;
  }

 private:
  alignas(core::kNoSharing) std::atomic<uint32_t> full_{0};
  std::atomic<uint32_t> count_{0};
  void* blocks_[kMost] = {};
};

}  // namespace mmt::layers
