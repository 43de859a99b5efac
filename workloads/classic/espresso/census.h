// A census counts how often each value is missing from the cubes of a cofactor. It tells in which
// variables the cofactor is unate or binate, and where a recursion splits it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espresso/cofactor.h"
#include "espresso/shape.h"

namespace mmt::workloads::classic::espresso {

class Census {
 public:
  explicit Census(const Cofactor& cofactor);

  // A value that no cube has: the cofactor is no tautology.
  bool lacks_a_value() const { return lacks_a_value_; }
  // All values of the variables in which the cofactor is unate. (A variable is unate if all cubes
  // that lack any value lack one that is the same for all.)
  const Word* unate() const { return unate_; }
  bool any_unate() const { return any_unate_; }

  // The variable to split, binate if any is. `first` and `second` become two cubes that are full
  // but for that variable, whose values they share out. False if every cube is full.
  bool split(size_t* variable, Word* first, Word* second) const;
  bool any_binate() const { return most_binate_ != SIZE_MAX; }

 private:
  void look_at_inputs();
  void look_at_outputs(size_t active);
  void consider(size_t variable, bool is_unate, size_t active);

  const Cofactor& cofactor_;
  const Shape& shape_;
  uint32_t missing_[Shape::kMaxWords * kBitsOfWord];
  Word unate_[Shape::kMaxWords];
  bool lacks_a_value_ = false;
  bool any_unate_ = false;
  size_t most_binate_ = SIZE_MAX;
  size_t most_binate_active_ = 0;
  size_t most_unate_ = SIZE_MAX;
  size_t most_unate_active_ = 0;
};

}  // namespace mmt::workloads::classic::espresso
