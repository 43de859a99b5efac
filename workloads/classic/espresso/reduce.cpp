// Reduction of each cube to what the others leave to it.
#include "espresso/recursion.h"
#include "espresso/steps.h"

namespace mmt::workloads::classic::espresso {

void reduce(const Cover& dont_care, Cover* on) {
  const Shape& shape = on->shape();
  on->sort(Cover::Order::kLargestFirst);
  for (size_t i = 0; i < on->size(); ++i) {
    Word* cube = (*on)[i];
    Cofactor others(shape, on->size() + dont_care.size(), cube);
    others.add(*on, cube);
    others.add(dont_care);
    Cube smallest(shape, shape.full());
    if (supercube_of_complement(others, smallest)) {
      for (size_t w = 0; w < shape.words(); ++w) cube[w] &= smallest[w];
    } else {
      on->erase(i);
    }
  }
  on->compact();
}

}  // namespace mmt::workloads::classic::espresso
