// The stack distance as its definition says: a list of pages, the newest first, searched from its
// front. What LruStack is checked against. Its list is not in the heap.
#pragma once

#include <cstdint>

#include "common/table.h"

namespace mmt::workloads::classic::lrusim {

class NaiveStack {
 public:
  // For at most `pages` different pages.
  explicit NaiveStack(uint64_t pages) : list_(pages) {}

  uint64_t use(uint64_t page) {
    uint64_t place = 0;
    while (place < size_ && list_[place] != page) ++place;
    uint64_t distance = place == size_ ? 0 : place + 1;
    if (place == size_) ++size_;
    for (; place > 0; --place) list_[place] = list_[place - 1];
    list_[0] = page;
    return distance;
  }

 private:
  Table<uint64_t> list_;
  uint64_t size_ = 0;
};

}  // namespace mmt::workloads::classic::lrusim
