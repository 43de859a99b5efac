// Finds a transaction's write entry by its word, where no lock points to it. It uses open
// addressing in a table of numbers, and a new stamp empties the table. A filter of 64 bits answers
// most questions. It is one thread's.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/stm/options.h>

namespace mmt::stm {

template <class Word>
class WriteIndex {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  explicit WriteIndex(const Supply& supply) : supply_(supply) {}
  WriteIndex(const WriteIndex&) = delete;
  WriteIndex& operator=(const WriteIndex&) = delete;
  ~WriteIndex() {
    if (cells_ != nullptr) supply_.free(cells_);
  }

  void clear() {
    if (used_ == 0) return;
    used_ = 0;
    filter_ = 0;
    if (++stamp_ != 0) return;
    for (size_t i = 0; i < size_; ++i) cells_[i].stamp = 0;
    stamp_ = 1;
  }

  // The entry's number, or kNone.
  uint32_t find(const Word* at) const {
    const uint64_t hash = hash_of(at);
    if ((filter_ & (uint64_t{1} << (hash >> 58))) == 0) return kNone;
    for (size_t i = hash & (size_ - 1);; i = (i + 1) & (size_ - 1)) {
      if (cells_[i].stamp != stamp_) return kNone;
      if (cells_[i].at == at) return cells_[i].number;
    }
  }

  // A word that is not in it. False: no memory, and nothing has changed.
  bool add(const Word* at, uint32_t number) {
    if (used_ * 2 >= size_ && !grow()) return false;
    put(at, number);
    return true;
  }

 private:
  struct Cell {
    const Word* at;
    uint32_t number;
    uint32_t stamp;
  };

  static uint64_t hash_of(const Word* at) {
    const uint64_t hash = (reinterpret_cast<uintptr_t>(at) >> 3) * 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 32);
  }
  void put(const Word* at, uint32_t number) {
    const uint64_t hash = hash_of(at);
    size_t i = hash & (size_ - 1);
    while (cells_[i].stamp == stamp_) i = (i + 1) & (size_ - 1);
    cells_[i] = {at, number, stamp_};
    filter_ |= uint64_t{1} << (hash >> 58);
    ++used_;
  }
  MMT_NOINLINE bool grow() {
    const size_t size = size_ == 0 ? 64 : size_ * 2;
    auto* const cells = static_cast<Cell*>(supply_.allocate(size * sizeof(Cell)));
    if (cells == nullptr) return false;
    for (size_t i = 0; i < size; ++i) cells[i] = {nullptr, 0, 0};
    Cell* const old = cells_;
    const size_t old_size = size_;
    cells_ = cells;
    size_ = size;
    used_ = 0;
    const uint32_t old_stamp = stamp_;
    stamp_ = 1;
    for (size_t i = 0; i < old_size; ++i) {
      if (old[i].stamp == old_stamp) put(old[i].at, old[i].number);
    }
    if (old != nullptr) supply_.free(old);
    return true;
  }

  Cell* cells_ = nullptr;
  size_t size_ = 0;
  size_t used_ = 0;
  uint64_t filter_ = 0;
  uint32_t stamp_ = 1;
  const Supply& supply_;
};

}  // namespace mmt::stm
