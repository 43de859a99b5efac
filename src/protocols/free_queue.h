#pragma once
// A FreeQueue is a bulk of freed blocks on its way to the memory thread. The client fills it, then
// the memory thread empties it. Neither touches it in the other's epoch (the paper's section
// III-E3).
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/source/mmap_heap.h>

#include "backend/library.h"
#include "interprocess/protocol_options.h"

namespace mmt::protocols {

// What a thread allocates while it fills a queue: blocks may be large, and few of them much memory.
class Volume {
 public:
  // So many bytes more; true: it is time to hand over what there is.
  bool is_much(size_t bytes) {
    bytes_ += bytes;
    if (MMT_LIKELY(bytes_ < kMuch)) return false;
    bytes_ = 0;
    return true;
  }

 private:
  static constexpr size_t kMuch = size_t{8} << 20;
  size_t bytes_ = 0;
};

// Room for so many pointers; nullptr: there is no memory. Keeps errno, as free does.
inline void** open_blocks(uint32_t room) {
  const int kept = errno;
  auto** const blocks = static_cast<void**>(layers::MmapHeap().malloc(room * sizeof(void*)));
  errno = kept;
  return blocks;
}

class FreeQueue {
 public:
  // --- the client ---

  bool is_filling() const { return !is_full_.load(std::memory_order_acquire); }
  // While it is filling. True: it is full now, and the memory thread's.
  bool add(void* block) {
    if (MMT_UNLIKELY(blocks_ == nullptr) && !open()) return backend::library.free(block), false;
    blocks_[count_++] = block;
    if (count_ != room_) return false;
    is_full_.store(true, std::memory_order_release);
    return true;
  }
  // Hands over what there is. True: there is something, which is the memory thread's now.
  bool hand_over() {
    if (!is_filling() || count_ == 0) return false;
    is_full_.store(true, std::memory_order_release);
    return true;
  }
  // While it is filling: the newest, or those under it; nullptr: there are not so many.
  void* at_end(uint32_t under) const {
    return under < count_ ? blocks_[count_ - 1 - under] : nullptr;
  }
  // Takes one of those out; the newest takes its place.
  void take_at_end(uint32_t under) {
    blocks_[count_ - 1 - under] = blocks_[count_ - 1];
    --count_;
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

  // It gives all back. The caller has the client to itself.
  void clear() {
    for (; given_ != count_; ++given_) backend::library.free(blocks_[given_]);
    given_ = count_ = 0;
    is_full_.store(false, std::memory_order_relaxed);
  }

 private:
  MMT_COLD bool open() {
    room_ = backend::options.queue;
    blocks_ = open_blocks(room_);
    return blocks_ != nullptr;
  }

  alignas(core::kNoSharing) std::atomic<bool> is_full_{false};
  uint32_t count_ = 0;
  uint32_t given_ = 0;
  uint32_t room_ = 0;
  void** blocks_ = nullptr;
};

}  // namespace mmt::protocols
