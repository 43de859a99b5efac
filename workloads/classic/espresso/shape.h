// This is how a product term is laid out in a cube, with operations on cubes of that layout.
// A cube is a block of words in positional notation. Each input has two bits (bit 0: may be 0, bit
// 1: may be 1). The outputs have one bit each, from a word of their own on. All outputs together
// are one variable more, with as many values. A cube is empty if some variable has no value left.
// The functions here expect cubes that are not empty, unless they say otherwise.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace mmt::workloads::classic::espresso {

using Word = uint64_t;

constexpr size_t kBitsOfWord = 64;
constexpr Word kLowBits = 0x5555'5555'5555'5555;  // The first bit of each input.

class Shape {
 public:
  static constexpr size_t kMaxInputs = 512;
  static constexpr size_t kMaxOutputs = 512;
  static constexpr size_t kMaxWords = kMaxInputs / 32 + kMaxOutputs / 64;

  // Both from 1 to their maximum.
  Shape(size_t inputs, size_t outputs);

  size_t inputs() const { return inputs_; }
  size_t outputs() const { return outputs_; }
  size_t words() const { return words_; }
  // Variables are numbered as inputs are; the outputs are the last one.
  size_t output_variable() const { return inputs_; }

  // Every value of every variable.
  const Word* full() const { return full_; }

  // The bit that stands for a value, in the whole cube.
  static size_t input_bit(size_t input, unsigned value) { return 2 * input + value; }
  size_t output_bit(size_t output) const { return input_words_ * kBitsOfWord + output; }
  static bool has(const Word* cube, size_t bit) {
    return (cube[bit / kBitsOfWord] >> bit % kBitsOfWord & 1) != 0;
  }
  static void put(Word* cube, size_t bit) {
    cube[bit / kBitsOfWord] |= Word{1} << bit % kBitsOfWord;
  }
  static void drop(Word* cube, size_t bit) {
    cube[bit / kBitsOfWord] &= ~(Word{1} << bit % kBitsOfWord);
  }

  // The bits of a variable: `mask` in words [first, last).
  struct Place {
    size_t first;
    size_t last;
    Word mask;
  };
  Place place(size_t variable) const {
    if (variable == inputs_) return {input_words_, words_, ~Word{0}};
    return {variable / 32, variable / 32 + 1, Word{3} << variable % 32 * 2};
  }

  bool contains(const Word* outer, const Word* inner) const {
    for (size_t i = 0; i < words_; ++i) {
      if ((inner[i] & ~outer[i]) != 0) return false;
    }
    return true;
  }
  bool equal(const Word* a, const Word* b) const {
    for (size_t i = 0; i < words_; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  bool is_full(const Word* cube) const { return equal(cube, full_); }
  // Number of variables in which the cubes have no value in common, or 2 if it is above.
  // If it is 1, `where` becomes that variable.
  unsigned distance(const Word* a, const Word* b, size_t* where = nullptr) const;
  bool intersect(const Word* a, const Word* b) const { return distance(a, b) == 0; }
  // Whether no value is left of some variable.
  bool is_empty(const Word* cube) const { return distance(cube, cube) != 0; }
  size_t count_bits(const Word* cube) const {
    size_t result = 0;
    for (size_t i = 0; i < words_; ++i) result += static_cast<size_t>(std::popcount(cube[i]));
    return result;
  }

 private:
  size_t inputs_;
  size_t outputs_;
  size_t input_words_;
  size_t words_;
  Word full_[kMaxWords] = {};
};

}  // namespace mmt::workloads::classic::espresso
