// The complement by recursion, with De Morgan's law at the leaves.
#include <algorithm>

#include "espresso/census.h"
#include "espresso/recursion.h"

namespace mmt::workloads::classic::espresso {

namespace {

// De Morgan: for each variable that limits `cube` a cube of the values it lacks.
void complement_cube(const Cofactor& cofactor, const Word* cube, Cover* result) {
  const Shape& shape = cofactor.shape();
  for (size_t v = 0; v <= shape.output_variable(); ++v) {
    const Shape::Place place = shape.place(v);
    bool limits = false;
    for (size_t i = place.first; i < place.last; ++i) {
      limits |= (shape.full()[i] & place.mask & ~cube[i] & ~cofactor.raised()[i]) != 0;
    }
    if (!limits) continue;
    Cube rest(shape, shape.full());
    for (size_t i = place.first; i < place.last; ++i) {
      rest[i] &= ~(cube[i] & place.mask) | cofactor.raised()[i];
    }
    result->add_block(rest.release());
  }
}

// Compares all but the values of one variable.
int compare_outside(const Shape& shape, size_t variable, const Word* a, const Word* b) {
  const Shape::Place place = shape.place(variable);
  for (size_t i = 0; i < shape.words(); ++i) {
    Word inside = i >= place.first && i < place.last ? place.mask : 0;
    Word left = a[i] & ~inside, right = b[i] & ~inside;
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

// Limits the cubes to `values` of the split variable, but for those that miss every cube of the
// cofactor even without that limit.
void limit(const Cofactor& cofactor, size_t variable, const Word* values, Cover* cover) {
  const Shape& shape = cofactor.shape();
  const Shape::Place place = shape.place(variable);
  Word inside[Shape::kMaxWords];
  for (Word* cube : *cover) {
    Cube lifted(shape, cube);
    for (size_t i = place.first; i < place.last; ++i) {
      lifted[i] |= shape.full()[i] & place.mask;
      cube[i] &= values[i] | ~place.mask;
    }
    bool misses = true;
    for (size_t i = 0; i < shape.words(); ++i) inside[i] = lifted[i] & ~cofactor.raised()[i];
    for (size_t c = 0; c < cofactor.size() && misses; ++c) {
      misses = !shape.intersect(cofactor[c], inside);
    }
    if (misses) std::copy(&lifted[0], &lifted[0] + shape.words(), cube);
  }
}

// Moves both halves to `result`; cubes that differ in the split variable alone become one.
void merge(const Shape& shape, size_t variable, Cover* first, Cover* second, Cover* result) {
  auto less = [&](const Word* a, const Word* b) {
    return compare_outside(shape, variable, a, b) < 0;
  };
  std::sort(first->begin(), first->end(), less);
  std::sort(second->begin(), second->end(), less);
  size_t i = 0;
  for (size_t j = 0; j < second->size(); ++j) {
    while (i < first->size() && less((*first)[i], (*second)[j])) ++i;
    if (i == first->size()) break;
    if (compare_outside(shape, variable, (*first)[i], (*second)[j]) != 0) continue;
    for (size_t w = 0; w < shape.words(); ++w) (*first)[i][w] |= (*second)[j][w];
    second->erase(j);
  }
  second->compact();
  result->take_all(first);
  result->take_all(second);
}

}  // namespace

void complement(const Cofactor& cofactor, Cover* result) {
  const Shape& shape = cofactor.shape();
  if (cofactor.size() == 0) return result->add_copy(shape.full());
  if (cofactor.has_full()) return;
  if (cofactor.size() == 1) return complement_cube(cofactor, cofactor[0], result);

  // What lies outside the smallest cube with all cubes is left out for sure; go on inside.
  Cube common(shape, cofactor.raised());
  for (size_t c = 0; c < cofactor.size(); ++c) {
    for (size_t i = 0; i < shape.words(); ++i) common[i] |= cofactor[c][i];
  }
  if (!shape.is_full(common)) {
    complement_cube(cofactor, common, result);
    for (size_t i = 0; i < shape.words(); ++i) common[i] &= ~cofactor.raised()[i];
    Cofactor inside(shape, cofactor.size(), common);
    for (size_t c = 0; c < cofactor.size(); ++c) inside.add_one(cofactor[c]);
    return complement(inside, result);
  }

  size_t variable;
  Cube first(shape, shape.full()), second(shape, shape.full());
  Census(cofactor).split(&variable, first, second);
  Cover left(shape), right(shape);
  complement(Cofactor(cofactor, variable, first), &left);
  limit(cofactor, variable, first, &left);
  complement(Cofactor(cofactor, variable, second), &right);
  limit(cofactor, variable, second, &right);
  merge(shape, variable, &left, &right, result);
}

}  // namespace mmt::workloads::classic::espresso
