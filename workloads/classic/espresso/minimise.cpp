#include "espresso/minimise.h"

#include "espresso/recursion.h"
#include "espresso/steps.h"

namespace mmt::workloads::classic::espresso {

namespace {

bool is_below(const Cost& a, const Cost& b) {
  return a.cubes != b.cubes ? a.cubes < b.cubes : a.literals < b.literals;
}

// Reduces, expands and makes irredundant until that no longer helps.
size_t improve(const Cover& off, const Cover& dont_care, Cover* on) {
  size_t rounds = 0;
  for (;;) {
    Cover next(on->shape());
    next.add_copies(*on);
    reduce(dont_care, &next);
    expand(off, &next);
    make_irredundant(dont_care, &next);
    ++rounds;
    if (!is_below(cost_of(next), cost_of(*on))) return rounds;
    on->clear();
    on->take_all(&next);
  }
}

}  // namespace

Cost cost_of(const Cover& cover) {
  const Shape& shape = cover.shape();
  Cost result = {cover.size(), 0};
  for (const Word* cube : cover) {
    for (size_t v = 0; v < shape.inputs(); ++v) {
      result.literals +=
          Shape::has(cube, Shape::input_bit(v, 0)) != Shape::has(cube, Shape::input_bit(v, 1));
    }
    for (size_t j = 0; j < shape.outputs(); ++j) {
      result.literals += Shape::has(cube, shape.output_bit(j));
    }
  }
  return result;
}

size_t minimise(const Function& function, Cover* result) {
  const Shape& shape = function.on.shape();
  Cover on(shape), dont_care(shape);
  on.add_copies(function.on);
  dont_care.add_copies(function.dont_care);
  on.absorb();
  expand(function.off, &on);
  make_irredundant(dont_care, &on);
  Cover essential(shape);
  take_essential(dont_care, &on, &essential);
  dont_care.add_copies(essential);
  size_t rounds = improve(function.off, dont_care, &on);
  result->take_all(&on);
  result->take_all(&essential);
  make_irredundant(function.dont_care, result);
  result->sort(Cover::Order::kLargestFirst);
  return rounds;
}

bool is_equivalent(const Function& function, const Cover& result) {
  for (const Word* cube : function.on) {
    if (!covers(result, function.dont_care, cube)) return false;
  }
  for (const Word* cube : result) {
    if (!covers(function.on, function.dont_care, cube)) return false;
  }
  return true;
}

bool are_disjoint(const Cover& a, const Cover& b) {
  for (const Word* one : a) {
    for (const Word* other : b) {
      if (a.shape().intersect(one, other)) return false;
    }
  }
  return true;
}

}  // namespace mmt::workloads::classic::espresso
