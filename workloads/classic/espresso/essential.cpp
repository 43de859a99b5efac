// Essential primes: those with a point of the on-set that no other prime has.
#include "espresso/recursion.h"
#include "espresso/steps.h"

namespace mmt::workloads::classic::espresso {

namespace {

// Adds the points of `prime` that have a neighbour outside it in `cube`: just one variable differs.
// Another prime covers the two, so those points do not make `prime` essential.
void add_reached(const Shape& shape, const Word* prime, const Word* cube, Cover* result) {
  size_t apart;
  unsigned distance = shape.distance(prime, cube, &apart);
  if (distance > 1) return;
  for (size_t v = 0; v <= shape.output_variable(); ++v) {
    if (distance == 1 && v != apart) continue;
    const Shape::Place place = shape.place(v);
    bool leaves = false;
    for (size_t w = place.first; w < place.last; ++w) {
      leaves |= (cube[w] & place.mask & ~prime[w]) != 0;
    }
    if (!leaves) continue;
    Cube reached(shape, prime);
    for (size_t w = 0; w < shape.words(); ++w) reached[w] &= cube[w];
    for (size_t w = place.first; w < place.last; ++w) reached[w] |= prime[w] & place.mask;
    result->add_block(reached.release());
  }
}

bool is_essential(const Cover& dont_care, const Cover& on, const Word* prime) {
  const Shape& shape = on.shape();
  Cover reached(shape);
  for (const Word* cube : on) {
    if (cube != prime) add_reached(shape, prime, cube, &reached);
  }
  for (const Word* cube : dont_care) add_reached(shape, prime, cube, &reached);
  return !covers(reached, dont_care, prime);
}

}  // namespace

void take_essential(const Cover& dont_care, Cover* on, Cover* essential) {
  Array<size_t> indices;
  for (size_t i = 0; i < on->size(); ++i) {
    if (is_essential(dont_care, *on, (*on)[i])) indices.add(i);
  }
  for (size_t i : indices) essential->add_block(on->take(i));
  on->compact();
}

}  // namespace mmt::workloads::classic::espresso
