// A cofactor is what is left of a cover inside a cube: the working form of all recursions. It is
// one heap block with the values that no longer matter (`raised`: those outside the cube), and
// pointers to the cover's cubes. The cubes are taken as having those values. The cover must outlive
// the cofactor.
#pragma once

#include <cstddef>

#include "espresso/cover.h"
#include "espresso/shape.h"

namespace mmt::workloads::classic::espresso {

class Cofactor {
 public:
  // This is the cofactor of the whole space, with room for `capacity` cubes.
  Cofactor(const Shape& shape, size_t capacity);
  // Inside `cube`.
  Cofactor(const Shape& shape, size_t capacity, const Word* cube);
  // This is the cofactor of `other`, limited further to `values` of one variable. Some of these are
  // not raised.
  Cofactor(const Cofactor& other, size_t variable, const Word* values);
  // The cubes of `other` that have every value in `mask`.
  struct Having {
    const Word* mask;
  };
  Cofactor(const Cofactor& other, Having having);
  ~Cofactor();
  Cofactor(const Cofactor&) = delete;
  Cofactor& operator=(const Cofactor&) = delete;

  // Adds those cubes that reach into the cube of this cofactor, but not `except`.
  void add(const Cover& cover, const Word* except = nullptr);

  // Adds a cube that reaches into the cube of this cofactor.
  void add_one(const Word* cube) { cubes()[block_->size++] = cube; }

  const Shape& shape() const { return *block_->shape; }
  size_t size() const { return block_->size; }
  const Word* raised() const { return reinterpret_cast<const Word*>(block_ + 1); }
  const Word* operator[](size_t index) const { return cubes()[index]; }
  // Word i of cube `index`, raised values included.
  Word word(size_t index, size_t i) const { return cubes()[index][i] | raised()[i]; }
  bool is_full(size_t index) const;
  bool has_full() const;

 private:
  struct Block {
    const Shape* shape;
    size_t size;
  };

  Word* own_raised() { return reinterpret_cast<Word*>(block_ + 1); }
  const Word** cubes() const {
    return reinterpret_cast<const Word**>(reinterpret_cast<Word*>(block_ + 1) +
                                          block_->shape->words());
  }

  Block* block_;
};

}  // namespace mmt::workloads::classic::espresso
