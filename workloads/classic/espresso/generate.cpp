#include "espresso/generate.h"

#include "common/rng.h"
#include "espresso/pla.h"

namespace mmt::workloads::classic::espresso {

void generate(const Recipe& recipe, Function* function) {
  const Shape& shape = function->on.shape();
  Rng rng(recipe.seed);
  for (uint64_t i = 0; i < recipe.terms; ++i) {
    Cube on(shape, shape.full());
    for (size_t v = 0; v < shape.inputs(); ++v) {
      if (rng.below(100) >= recipe.literals) continue;
      Shape::drop(on, Shape::input_bit(v, static_cast<unsigned>(rng.below(2))));
    }
    Cube dont_care(shape, on);
    for (size_t j = 0; j < shape.outputs(); ++j) {
      uint64_t draw = rng.below(100);
      bool one = draw < recipe.ones;
      bool either = !one && draw < recipe.ones + recipe.dont_cares;
      if (!one) Shape::drop(on, shape.output_bit(j));
      if (!either) Shape::drop(dont_care, shape.output_bit(j));
    }
    if (!shape.is_empty(on)) function->on.add_block(on.release());
    if (!shape.is_empty(dont_care)) function->dont_care.add_block(dont_care.release());
  }
  complete_off(function);
}

}  // namespace mmt::workloads::classic::espresso
