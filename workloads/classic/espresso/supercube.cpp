// The smallest cube around a complement, without the complement itself.
#include <algorithm>

#include "espresso/census.h"
#include "espresso/recursion.h"

namespace mmt::workloads::classic::espresso {

namespace {

// If the cube lacks values of one variable only, takes those that it has away from `result`.
void leave_out(const Cofactor& cofactor, size_t index, Word* result) {
  const Shape& shape = cofactor.shape();
  size_t active = 0, last = 0;
  for (size_t v = 0; v <= shape.output_variable() && active < 2; ++v) {
    const Shape::Place place = shape.place(v);
    for (size_t i = place.first; i < place.last; ++i) {
      if ((shape.full()[i] & place.mask & ~cofactor.word(index, i)) == 0) continue;
      ++active;
      last = v;
      break;
    }
  }
  if (active != 1) return;
  const Shape::Place place = shape.place(last);
  for (size_t i = place.first; i < place.last; ++i) {
    result[i] &= ~(place.mask & cofactor[index][i]) | cofactor.raised()[i];
  }
}

}  // namespace

bool supercube_of_complement(const Cofactor& cofactor, Word* result) {
  const Shape& shape = cofactor.shape();
  if (cofactor.has_full()) {
    std::fill(result, result + shape.words(), Word{0});
    return false;
  }
  size_t variable;
  Word first[Shape::kMaxWords];
  Word second[Shape::kMaxWords];
  bool unate;
  {
    Census census(cofactor);
    unate = !census.any_binate();
    if (!unate) census.split(&variable, first, second);
  }
  std::copy(shape.full(), shape.full() + shape.words(), result);
  if (unate) {
    // Inside a value of a variable, such a cover is a tautology only by a full cube. So the value
    // is left out of every complement only where a cube of no other variable has it.
    for (size_t c = 0; c < cofactor.size(); ++c) leave_out(cofactor, c, result);
    return true;
  }
  Cube in_second(shape, result);
  bool any_first = supercube_of_complement(Cofactor(cofactor, variable, first), result);
  bool any_second = supercube_of_complement(Cofactor(cofactor, variable, second), in_second);
  for (size_t i = 0; i < shape.words(); ++i) {
    result[i] =
        (any_first ? result[i] & first[i] : 0) | (any_second ? in_second[i] & second[i] : 0);
  }
  return any_first || any_second;
}

}  // namespace mmt::workloads::classic::espresso
