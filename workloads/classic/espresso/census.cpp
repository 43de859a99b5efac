#include "espresso/census.h"

#include <algorithm>
#include <bit>

namespace mmt::workloads::classic::espresso {

Census::Census(const Cofactor& cofactor) : cofactor_(cofactor), shape_(cofactor.shape()) {
  size_t words = shape_.words();
  std::fill(missing_, missing_ + words * kBitsOfWord, 0u);
  std::fill(unate_, unate_ + words, Word{0});
  size_t first_output = shape_.place(shape_.output_variable()).first;
  size_t active_in_outputs = 0;
  for (size_t c = 0; c < cofactor.size(); ++c) {
    bool lacks_output = false;
    for (size_t i = 0; i < words; ++i) {
      Word lacking = shape_.full()[i] & ~cofactor.word(c, i);
      if (lacking != 0 && i >= first_output) lacks_output = true;
      for (; lacking != 0; lacking &= lacking - 1) {
        ++missing_[i * kBitsOfWord + static_cast<size_t>(std::countr_zero(lacking))];
      }
    }
    if (lacks_output) ++active_in_outputs;
  }
  look_at_inputs();
  look_at_outputs(active_in_outputs);
}

void Census::look_at_inputs() {
  for (size_t v = 0; v < shape_.inputs(); ++v) {
    size_t without_0 = missing_[Shape::input_bit(v, 0)];
    size_t without_1 = missing_[Shape::input_bit(v, 1)];
    if (without_0 == cofactor_.size() || without_1 == cofactor_.size()) lacks_a_value_ = true;
    consider(v, without_0 == 0 || without_1 == 0, without_0 + without_1);
  }
}

void Census::look_at_outputs(size_t active) {
  bool unate = false;
  for (size_t j = 0; j < shape_.outputs(); ++j) {
    size_t without = missing_[shape_.output_bit(j)];
    if (without == cofactor_.size()) lacks_a_value_ = true;
    if (without == active) unate = true;
  }
  consider(shape_.output_variable(), unate, active);
}

// The first of two equal ones is taken.
void Census::consider(size_t variable, bool is_unate, size_t active) {
  if (active == 0) return;
  size_t& most = is_unate ? most_unate_ : most_binate_;
  size_t& most_active = is_unate ? most_unate_active_ : most_binate_active_;
  if (active > most_active) {
    most = variable;
    most_active = active;
  }
  if (!is_unate) return;
  any_unate_ = true;
  const Shape::Place place = shape_.place(variable);
  for (size_t i = place.first; i < place.last; ++i) unate_[i] |= shape_.full()[i] & place.mask;
}

bool Census::split(size_t* variable, Word* first, Word* second) const {
  *variable = any_binate() ? most_binate_ : most_unate_;
  if (*variable == SIZE_MAX) return false;
  size_t words = shape_.words();
  std::copy(shape_.full(), shape_.full() + words, first);
  std::copy(shape_.full(), shape_.full() + words, second);
  if (*variable != shape_.output_variable()) {
    Shape::drop(first, Shape::input_bit(*variable, 1));
    Shape::drop(second, Shape::input_bit(*variable, 0));
    return true;
  }
  // Half of the outputs that some cube lacks go to `first`, all others to `second`. There are at
  // least two such outputs, unless there is one that each active cube lacks: then it goes alone.
  size_t lacked = 0;
  for (size_t j = 0; j < shape_.outputs(); ++j) lacked += missing_[shape_.output_bit(j)] != 0;
  size_t to_first = std::max<size_t>(lacked / 2, 1);
  for (size_t j = 0; j < shape_.outputs(); ++j) {
    size_t bit = shape_.output_bit(j);
    bool goes_first = missing_[bit] != 0 && to_first > 0;
    if (goes_first) --to_first;
    Shape::drop(goes_first ? second : first, bit);
  }
  return true;
}

}  // namespace mmt::workloads::classic::espresso
