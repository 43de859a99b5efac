// A map from the addresses of blocks to values: open addressing, its table mapped apart, so that it
// needs no malloc. Value is trivially copyable; pointers to values hold until the next insert or
// erase. One thread may use it.
#pragma once

#include <cstdint>
#include <type_traits>

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {

template <class Value>
class AddressMap {
  static_assert(std::is_trivially_copyable_v<Value>, "AddressMap: values are moved as bytes");

 public:
  AddressMap() = default;
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;
  ~AddressMap() { forget(); }

  Value* find(const void* address) const {
    if (count_ == 0) return nullptr;
    Cell& cell = cells_[index_of(address)];
    return cell.address == nullptr ? nullptr : &cell.value;
  }

  // The value of the address, a fresh one where it had none. Null, and nothing changed: no memory.
  Value* insert(const void* address) {
    if (Value* value = find(address)) return value;
    if (is_full() && !grow()) return nullptr;
    Cell& cell = cells_[index_of(address)];
    cell = {address, Value()};
    ++count_;
    return &cell.value;
  }
  // The next new address makes the table grow.
  bool is_full() const { return 2 * (count_ + 1) > capacity_; }

  // False: it was not there.
  bool erase(const void* address) {
    if (count_ == 0) return false;
    const size_t i = index_of(address);
    if (cells_[i].address == nullptr) return false;
    erase_cell(i);
    return true;
  }

  // visit(address, value) for each, in no order; it must neither insert nor erase.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (size_t i = 0; i < capacity_; ++i) {
      if (cells_[i].address != nullptr) visit(cells_[i].address, cells_[i].value);
    }
  }
  template <class Condition>
  void erase_if(Condition&& condition) {
    for (size_t i = 0; i < capacity_; ++i) {
      // What an erasure moves comes to this cell or to one behind it.
      while (cells_[i].address != nullptr && condition(cells_[i].value)) erase_cell(i);
    }
  }

  void forget() {
    if (cells_ != nullptr) MmapHeap().free(cells_);
    cells_ = nullptr;
    capacity_ = count_ = 0;
  }
  size_t count() const { return count_; }

 private:
  static constexpr size_t kFirstCapacity = 1024;

  struct Cell {
    const void* address;  // null: empty
    Value value;
  };

  size_t home_of(const void* address) const {
    const uint64_t mixed = (reinterpret_cast<uintptr_t>(address) >> 3) * 0x9e3779b97f4a7c15u;
    return static_cast<size_t>(mixed >> 24) & (capacity_ - 1);
  }
  size_t next(size_t i) const { return (i + 1) & (capacity_ - 1); }
  // Where the address is, or would be put.
  size_t index_of(const void* address) const {
    size_t i = home_of(address);
    while (cells_[i].address != address && cells_[i].address != nullptr) i = next(i);
    return i;
  }

  // What follows without a gap moves up where it may, so that no search meets a hole.
  void erase_cell(size_t hole) {
    --count_;
    for (size_t i = next(hole); cells_[i].address != nullptr; i = next(i)) {
      const size_t home = home_of(cells_[i].address);
      if (((i - home) & (capacity_ - 1)) < ((i - hole) & (capacity_ - 1))) continue;
      cells_[hole] = cells_[i];
      hole = i;
    }
    cells_[hole].address = nullptr;
  }

  MMT_NOINLINE bool grow() {
    const size_t capacity = capacity_ == 0 ? kFirstCapacity : 2 * capacity_;
    auto* cells = static_cast<Cell*>(MmapHeap().malloc(capacity * sizeof(Cell)));
    if (cells == nullptr) return false;
    Cell* const before = cells_;
    const size_t count = capacity_;
    cells_ = cells;
    capacity_ = capacity;
    for (size_t i = 0; i < count; ++i) {
      if (before[i].address != nullptr) cells_[index_of(before[i].address)] = before[i];
    }
    if (before != nullptr) MmapHeap().free(before);
    return true;
  }

  Cell* cells_ = nullptr;
  size_t capacity_ = 0;  // 0 or a power of two
  size_t count_ = 0;
};

}  // namespace mmt::layers
