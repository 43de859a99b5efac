#include "espresso/shape.h"

namespace mmt::workloads::classic::espresso {

Shape::Shape(size_t inputs, size_t outputs)
    : inputs_(inputs),
      outputs_(outputs),
      input_words_((2 * inputs + kBitsOfWord - 1) / kBitsOfWord),
      words_(input_words_ + (outputs + kBitsOfWord - 1) / kBitsOfWord) {
  for (size_t i = 0; i < 2 * inputs; ++i) put(full_, i);
  for (size_t i = 0; i < outputs; ++i) put(full_, output_bit(i));
}

unsigned Shape::distance(const Word* a, const Word* b, size_t* where) const {
  unsigned result = 0;
  for (size_t i = 0; i < input_words_; ++i) {
    Word common = a[i] & b[i];
    Word none = ~(common | common >> 1) & full_[i] & kLowBits;
    if (none == 0) continue;
    result += static_cast<unsigned>(std::popcount(none));
    if (result > 1) return 2;
    if (where != nullptr) *where = i * 32 + static_cast<size_t>(std::countr_zero(none)) / 2;
  }
  for (size_t i = input_words_; i < words_; ++i) {
    if ((a[i] & b[i]) != 0) return result;
  }
  if (where != nullptr) *where = inputs_;
  return result + 1;
}

}  // namespace mmt::workloads::classic::espresso
