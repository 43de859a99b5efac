#include "espresso/cover.h"

#include <algorithm>

namespace mmt::workloads::classic::espresso {

void Cover::compact() {
  size_t left = 0;
  for (Word* cube : cubes_) {
    if (cube != nullptr) cubes_[left++] = cube;
  }
  cubes_.shrink(left);
}

void Cover::clear() {
  for (Word* cube : cubes_) std::free(cube);
  cubes_.shrink(0);
}

// A total order on contents, so that no result depends on addresses.
void Cover::sort(Order order) {
  const Shape& shape = *shape_;
  std::sort(cubes_.begin(), cubes_.end(), [&shape, order](const Word* a, const Word* b) {
    size_t size_of_a = shape.count_bits(a), size_of_b = shape.count_bits(b);
    if (size_of_a != size_of_b) {
      return order == Order::kSmallestFirst ? size_of_a < size_of_b : size_of_a > size_of_b;
    }
    return std::lexicographical_compare(a, a + shape.words(), b, b + shape.words());
  });
}

void Cover::absorb() {
  sort(Order::kLargestFirst);
  size_t left = 0;
  for (Word* cube : cubes_) {
    bool inside = std::any_of(cubes_.begin(), cubes_.begin() + left,
                              [&](const Word* other) { return shape_->contains(other, cube); });
    if (inside) {
      std::free(cube);
    } else {
      cubes_[left++] = cube;
    }
  }
  cubes_.shrink(left);
}

}  // namespace mmt::workloads::classic::espresso
