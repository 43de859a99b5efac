// A superblock is a granule cut up into blocks of one size class. Its owner is the heap whose lock
// guards it. A thread that wants the superblock reads owner(), takes that heap's lock, and reads
// once more. The owner changes only under the locks of both, the one of before and the one to be. A
// thread that has a block in the superblock also reads without a lock what is said const here.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/layers/fit/free_list.h>
#include <mmt/layers/general/hoard/large_object_heap.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

class alignas(64) Superblock : public GranuleHead {
 public:
  // Emptiness groups: no block is in use; some are, from quarter to quarter; all are.
  static constexpr size_t kEmpty = 0;
  static constexpr size_t kLeastFull = 1;
  static constexpr size_t kMostFull = 4;
  static constexpr size_t kFull = 5;
  static constexpr size_t kGroups = 6;

  Superblock* next = nullptr;
  Superblock* prev = nullptr;

  Superblock(size_t granule, size_t size_class, size_t block_size)
      : GranuleHead{false},
        size_class_(static_cast<uint32_t>(size_class)),
        size_(static_cast<uint32_t>(block_size)),
        capacity_(static_cast<uint32_t>((granule - sizeof(Superblock)) / block_size)),
        fresh_(first()) {}

  // Acquire and release: the one that is new was made before.
  void* owner() const { return owner_.load(std::memory_order_acquire); }
  void set_owner(void* owner) { owner_.store(owner, std::memory_order_release); }

  // Sizes are in bytes: size() of a block, bytes() of all. Counts, as used(), are of blocks.
  size_t size_class() const { return size_class_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  size_t bytes() const { return size_t{size_} * capacity_; }
  size_t used() const { return used_; }
  bool is_full() const { return used_ == capacity_; }
  bool is_empty() const { return used_ == 0; }

  // One is free.
  void* take() {
    ++used_;
    if (!free_.is_empty()) return free_.pop();
    char* const block = fresh_;
    fresh_ += size_;
    return block;
  }
  void give(void* block) {
    --used_;
    free_.push(block);
  }

  // The group that it was put in, whether that is still the right one, and which one is.
  size_t group() const { return group_; }
  bool is_in_group() const { return used_ >= least_ && used_ <= most_; }
  void set_group() {
    const uint32_t quarter = used_ * kQuarters / capacity_;
    if (is_empty() || is_full()) {
      group_ = is_empty() ? kEmpty : kFull;
      least_ = most_ = used_;
      return;
    }
    group_ = kLeastFull + quarter;
    least_ = static_cast<uint32_t>(core::ceil_div(quarter * capacity_, kQuarters));
    most_ = static_cast<uint32_t>(core::ceil_div((quarter + 1) * capacity_, kQuarters) - 1);
    if (least_ == 0) least_ = 1;
    if (most_ == capacity_) most_ = capacity_ - 1;
  }

  // The block in which an address lies that was given out for the sake of its alignment.
  void* block_around(void* address) const {
    // Relaxed: a thread that has such an address was told of it after the flag was set.
    if (!has_inner_.load(std::memory_order_relaxed)) return address;
    const auto distance = static_cast<size_t>(static_cast<char*>(address) - first());
    return first() + distance / size_ * size_;
  }
  void set_has_inner() { has_inner_.store(true, std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kQuarters = kMostFull;

  char* first() const {
    return reinterpret_cast<char*>(const_cast<Superblock*>(this)) + sizeof(Superblock);
  }

  std::atomic<void*> owner_{nullptr};
  const uint32_t size_class_;
  const uint32_t size_;
  const uint32_t capacity_;
  uint32_t used_ = 0;
  size_t group_ = kEmpty;
  uint32_t least_ = 0;  // of used_, within the group
  uint32_t most_ = 0;
  std::atomic<bool> has_inner_{false};
  FreeList free_;  // those that were given back
  char* fresh_;    // the first that was never out
};

}  // namespace mmt::layers
