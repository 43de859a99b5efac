#pragma once
// A bulk of freed blocks on its way to the memory thread: the client fills it, then the memory
// thread empties it, and neither touches it in the other's epoch (the paper's section III-E3).
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "agnostic/library.h"

namespace mmt::agnostic {

template <uint32_t kRoom>
class FreeQueue {
 public:
  // --- the client ---

  bool is_filling() const { return !is_full_.load(std::memory_order_acquire); }
  // While it is filling. True: it is full now, and the memory thread's.
  bool add(void* block) {
    blocks_[count_++] = block;
    if (count_ != kRoom) return false;
    is_full_.store(true, std::memory_order_release);
    return true;
  }

  // --- the memory thread ---

  bool is_full() const { return is_full_.load(std::memory_order_acquire); }
  // Gives the next block, oldest first; nullptr: that was all, and the client's turn again.
  void* take() {
    if (given_ != count_) return blocks_[given_++];
    given_ = count_ = 0;
    is_full_.store(false, std::memory_order_release);
    return nullptr;
  }

  // Who has the client to himself. Gives all back.
  void clear() {
    for (; given_ != count_; ++given_) library.free(blocks_[given_]);
    given_ = count_ = 0;
    is_full_.store(false, std::memory_order_relaxed);
  }

 private:
  alignas(core::kNoSharing) std::atomic<bool> is_full_{false};
  uint32_t count_ = 0;
  uint32_t given_ = 0;
  void* blocks_[kRoom];
};

}  // namespace mmt::agnostic
