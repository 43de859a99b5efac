#include "espresso/cofactor.h"

#include <algorithm>
#include <cstdlib>

#include "base/memory.h"

namespace mmt::workloads::classic::espresso {

Cofactor::Cofactor(const Shape& shape, size_t capacity)
    : block_(static_cast<Block*>(allocate(sizeof(Block) + shape.words() * sizeof(Word) +
                                          capacity * sizeof(const Word*)))) {
  *block_ = {&shape, 0};
  std::fill(own_raised(), own_raised() + shape.words(), Word{0});
}

Cofactor::Cofactor(const Shape& shape, size_t capacity, const Word* cube)
    : Cofactor(shape, capacity) {
  for (size_t i = 0; i < shape.words(); ++i) own_raised()[i] = shape.full()[i] & ~cube[i];
}

Cofactor::Cofactor(const Cofactor& other, size_t variable, const Word* values)
    : Cofactor(other.shape(), other.size()) {
  const Shape::Place place = shape().place(variable);
  std::copy(other.raised(), other.raised() + shape().words(), own_raised());
  for (size_t i = place.first; i < place.last; ++i) {
    own_raised()[i] |= shape().full()[i] & place.mask & ~values[i];
  }
  for (size_t c = 0; c < other.size(); ++c) {
    bool reaches = false;
    for (size_t i = place.first; i < place.last; ++i) {
      reaches |= (other[c][i] & place.mask & values[i] & ~other.raised()[i]) != 0;
    }
    if (reaches) add_one(other[c]);
  }
}

Cofactor::Cofactor(const Cofactor& other, Having having) : Cofactor(other.shape(), other.size()) {
  std::copy(other.raised(), other.raised() + shape().words(), own_raised());
  for (size_t c = 0; c < other.size(); ++c) {
    bool has_all = true;
    for (size_t i = 0; i < shape().words() && has_all; ++i) {
      has_all = (having.mask[i] & ~other.word(c, i)) == 0;
    }
    if (has_all) add_one(other[c]);
  }
}

Cofactor::~Cofactor() { std::free(block_); }

void Cofactor::add(const Cover& cover, const Word* except) {
  Word inside[Shape::kMaxWords];
  for (size_t i = 0; i < shape().words(); ++i) inside[i] = shape().full()[i] & ~raised()[i];
  for (const Word* cube : cover) {
    if (cube != except && cube != nullptr && shape().intersect(cube, inside)) add_one(cube);
  }
}

bool Cofactor::is_full(size_t index) const {
  for (size_t i = 0; i < shape().words(); ++i) {
    if (word(index, i) != shape().full()[i]) return false;
  }
  return true;
}

bool Cofactor::has_full() const {
  for (size_t c = 0; c < size(); ++c) {
    if (is_full(c)) return true;
  }
  return false;
}

}  // namespace mmt::workloads::classic::espresso
