// A set of addresses that are multiples of 16: open addressing, its table mapped apart. One thread.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {

class AddressSet {
 public:
  AddressSet() = default;
  AddressSet(const AddressSet&) = delete;
  AddressSet& operator=(const AddressSet&) = delete;
  ~AddressSet() {
    if (slots_ != nullptr) MmapHeap().free(slots_);
  }

  // False, and nothing changed: no memory.
  bool insert(const void* address) {
    if (2 * (count_ + 1) > capacity_ && !grow()) return false;
    place(slots_, capacity_, address);
    ++count_;
    return true;
  }

  bool contains(const void* address) const {
    return address != nullptr && count_ != 0 && *find(address) == address;
  }

  // It is in the set.
  void erase(const void* address) {
    size_t hole = static_cast<size_t>(find(address) - slots_);
    --count_;
    // What follows without a gap moves up where it may, so that it is found without passing a hole.
    for (size_t i = next(hole); slots_[i] != nullptr; i = next(i)) {
      const size_t home = home_of(slots_[i], capacity_);
      if (((i - home) & (capacity_ - 1)) < ((i - hole) & (capacity_ - 1))) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole] = nullptr;
  }

  void forget() {
    if (slots_ != nullptr) MmapHeap().free(slots_);
    slots_ = nullptr;
    capacity_ = count_ = 0;
  }

  size_t count() const { return count_; }
  // Each address, in no order; visit must not change the set.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (size_t i = 0; i < capacity_; ++i) {
      if (slots_[i] != nullptr) visit(slots_[i]);
    }
  }

 private:
  using Slot = const void*;

  static size_t home_of(const void* address, size_t capacity) {
    const uint64_t mixed = (reinterpret_cast<uintptr_t>(address) >> 4) * 0x9e3779b97f4a7c15u;
    return static_cast<size_t>(mixed >> 32) & (capacity - 1);
  }
  size_t next(size_t i) const { return (i + 1) & (capacity_ - 1); }
  Slot* find(const void* address) const {
    size_t i = home_of(address, capacity_);
    while (slots_[i] != address && slots_[i] != nullptr) i = next(i);
    return &slots_[i];
  }
  static void place(Slot* slots, size_t capacity, const void* address) {
    size_t i = home_of(address, capacity);
    while (slots[i] != nullptr) i = (i + 1) & (capacity - 1);
    slots[i] = address;
  }
  MMT_NOINLINE bool grow() {
    const size_t capacity = capacity_ == 0 ? 256 : 2 * capacity_;
    auto* slots = static_cast<Slot*>(MmapHeap().malloc(capacity * sizeof(Slot)));
    if (slots == nullptr) return false;
    for_each([&](const void* address) { place(slots, capacity, address); });
    if (slots_ != nullptr) MmapHeap().free(slots_);
    slots_ = slots;
    capacity_ = capacity;
    return true;
  }

  Slot* slots_ = nullptr;
  size_t capacity_ = 0;  // a power of two
  size_t count_ = 0;
};

}  // namespace mmt::layers
