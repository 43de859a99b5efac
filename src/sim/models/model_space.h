// Where models have their heaps: address space that is reserved, and takes memory where a policy
// writes its nodes. Where address space is limited (ulimit -v), all models together reserve half of
// what is left, so that there is room for their tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <mmt/layers/source/reserved_heap.h>

namespace mmt::sim {

class ModelSpace : public layers::ReservedHeap<size_t{1} << 40> {
  using Reserved = layers::ReservedHeap<size_t{1} << 40>;

 public:
  ModelSpace() : Reserved(each_) {}

  // Divides address space among the models that are made from now on. `left` is what is left of it,
  // in bytes; SIZE_MAX where there is no limit. It is not called while another thread makes a
  // model.
  static void divide(size_t left, size_t models) {
    if (left == SIZE_MAX || models == 0) return;
    each_ = std::max(left / 2 / models, kLeast);
  }

 private:
  static constexpr size_t kLeast = size_t{1} << 20;
  static inline size_t each_ = size_t{1} << 40;
};

}  // namespace mmt::sim
