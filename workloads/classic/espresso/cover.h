// A cover: a set of cubes, each a heap block of its own, that together stand for a function.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/array.h"
#include "base/memory.h"
#include "espresso/shape.h"

namespace mmt::workloads::classic::espresso {

inline Word* new_cube(const Shape& shape, const Word* from) {
  auto* cube = allocate_array<Word>(shape.words());
  std::memcpy(cube, from, shape.words() * sizeof(Word));
  return cube;
}

// A cube that lives as long as its scope.
class Cube {
 public:
  Cube(const Shape& shape, const Word* from) : words_(new_cube(shape, from)) {}
  ~Cube() { std::free(words_); }
  Cube(const Cube&) = delete;
  Cube& operator=(const Cube&) = delete;

  operator Word*() { return words_; }
  operator const Word*() const { return words_; }
  // Gives the block away.
  Word* release() { return std::exchange(words_, nullptr); }

 private:
  Word* words_;
};

class Cover {
 public:
  explicit Cover(const Shape& shape) : shape_(&shape) {}
  ~Cover() { clear(); }
  Cover(const Cover&) = delete;
  Cover& operator=(const Cover&) = delete;

  const Shape& shape() const { return *shape_; }
  size_t size() const { return cubes_.size(); }
  Word* operator[](size_t index) { return cubes_[index]; }
  const Word* operator[](size_t index) const { return cubes_[index]; }
  Word** begin() { return cubes_.begin(); }
  Word** end() { return cubes_.end(); }
  Word* const* begin() const { return cubes_.begin(); }
  Word* const* end() const { return cubes_.end(); }

  void add_copy(const Word* cube) { cubes_.add(new_cube(*shape_, cube)); }
  void add_copies(const Cover& other) {
    for (const Word* cube : other) add_copy(cube);
  }
  // Takes the block over.
  void add_block(Word* cube) { cubes_.add(cube); }
  // Takes all blocks of `other` over.
  void take_all(Cover* other) {
    for (Word* cube : *other) cubes_.add(cube);
    other->cubes_.shrink(0);
  }
  // Frees the cube and leaves a null in its place, until compact().
  void erase(size_t index) {
    std::free(cubes_[index]);
    cubes_[index] = nullptr;
  }
  // As erase(), but gives the block to the caller.
  Word* take(size_t index) { return std::exchange(cubes_[index], nullptr); }
  void compact();
  void clear();

  enum class Order { kSmallestFirst, kLargestFirst };
  void sort(Order order);
  // Removes cubes that are inside another one.
  void absorb();

 private:
  const Shape* shape_;
  Array<Word*> cubes_;
};

}  // namespace mmt::workloads::classic::espresso
