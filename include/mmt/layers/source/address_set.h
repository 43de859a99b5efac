// This is a set of addresses in their order, in a table that is mapped apart. The table is searched
// by halves. What lies behind an address that comes or goes moves by one place. The set is for
// addresses of mappings, of which Linux allows 65,530 unless told otherwise: the table has half a
// mebibyte then. The set is for one thread.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {

class AddressSet {
 public:
  AddressSet() = default;
  AddressSet(const AddressSet&) = delete;
  AddressSet& operator=(const AddressSet&) = delete;
  ~AddressSet() { forget(); }

  // It is not in the set. False, and nothing changed: no memory.
  bool insert(const void* address) {
    if (count_ == capacity_ && !grow()) return false;
    Cell* const place = first_above(address);
    std::memmove(place + 1, place, bytes_from(place));
    *place = address;
    ++count_;
    return true;
  }

  // The greatest that is at most that address; null: there is none.
  const void* floor(const void* address) const {
    const Cell* const above = first_above(address);
    return above == cells_ ? nullptr : above[-1];
  }

  // It is in the set.
  void erase(const void* address) {
    Cell* const behind = first_above(address);
    std::memmove(behind - 1, behind, bytes_from(behind));
    --count_;
  }

  void forget() {
    if (cells_ != nullptr) MmapHeap().free(cells_);
    cells_ = nullptr;
    capacity_ = count_ = 0;
  }

  size_t count() const { return count_; }
  // Each address, in order; visit must not change the set.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (size_t i = 0; i < count_; ++i) visit(cells_[i]);
  }

 private:
  using Cell = const void*;

  Cell* first_above(const void* address) const {
    return std::upper_bound(cells_, cells_ + count_, address, std::less<>());
  }
  size_t bytes_from(const Cell* place) const {
    return static_cast<size_t>(cells_ + count_ - place) * sizeof(Cell);
  }
  MMT_NOINLINE bool grow() {
    const size_t capacity = capacity_ == 0 ? 256 : 2 * capacity_;
    auto* const cells = static_cast<Cell*>(MmapHeap().malloc(capacity * sizeof(Cell)));
    if (cells == nullptr) return false;
    if (cells_ != nullptr) {
      std::memcpy(cells, cells_, count_ * sizeof(Cell));
      MmapHeap().free(cells_);
    }
    cells_ = cells;
    capacity_ = capacity;
    return true;
  }

  Cell* cells_ = nullptr;
  size_t capacity_ = 0;
  size_t count_ = 0;
};

}  // namespace mmt::layers
