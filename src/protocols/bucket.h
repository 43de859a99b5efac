#pragma once
// Blocks of one request size that the memory thread has prepared: an array of pointers, one party's
// at a time.
#include <cstddef>
#include <cstdint>

#include <mmt/layers/source/mmap_heap.h>

#include "backend/library.h"

namespace mmt::protocols {

class Bucket {
 public:
  bool is_open() const { return blocks_ != nullptr; }
  // That is not; false: there is no memory.
  bool open(uint32_t room) {
    blocks_ = static_cast<void**>(layers::MmapHeap().malloc(room * sizeof(void*)));
    room_ = blocks_ == nullptr ? 0 : room;
    return blocks_ != nullptr;
  }
  void close() {
    if (blocks_ == nullptr) return;
    while (void* block = take()) backend::library.free(block);
    layers::MmapHeap().free(blocks_);
    blocks_ = nullptr;
  }

  uint32_t room() const { return room_; }
  uint32_t count() const { return count_ - taken_; }
  bool is_full() const { return room_ != 0 && count_ == room_; }
  // After one of its takes, and no other: that was the half.
  bool is_at_half() const { return count_ != 0 && taken_ == (count_ + 1) / 2; }
  void add(void* block) { blocks_[count_++] = block; }
  // In the order in which they were added; nullptr: that was all.
  void* take() {
    if (taken_ != count_) return blocks_[taken_++];
    taken_ = count_ = 0;
    return nullptr;
  }

 private:
  void** blocks_ = nullptr;
  uint32_t room_ = 0;
  uint32_t count_ = 0;
  uint32_t taken_ = 0;
};

}  // namespace mmt::protocols
