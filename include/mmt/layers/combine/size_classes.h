// These types map sizes in bytes to size classes, for segregated fits. Such a type has:
//   - kCount        how many classes there are
//   - kLargest      the size of the last one
//   - of(bytes)     the first class whose size is at least that; bytes <= kLargest
//   - floor_of(b)   the last class whose size is at most that; size(0) <= b <= kLargest
//   - size(c)       the size of the blocks of class c; c < kCount
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <limits>

#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class C>
concept SizeClasses = requires(size_t n) {
  { C::kCount } -> std::convertible_to<size_t>;
  { C::kLargest } -> std::convertible_to<size_t>;
  { C::of(n) } -> std::same_as<size_t>;
  { C::floor_of(n) } -> std::same_as<size_t>;
  { C::size(n) } -> std::same_as<size_t>;
};

// How many bytes of a free block a bin needs for itself.
template <class Bin>
inline constexpr size_t kLeastBlockOf = sizeof(void*);
template <class Bin>
requires requires { Bin::kLeastBlock; }
inline constexpr size_t kLeastBlockOf<Bin> = Bin::kLeastBlock;

// Blocks that with a header of kHeader bytes are powers of two, from 16 bytes on.
template <size_t kClasses, size_t kHeader = sizeof(size_t)>
struct PowersOfTwo {
  static constexpr size_t kCount = kClasses;
  static constexpr size_t size(size_t c) { return (kLeast << c) - kHeader; }
  static constexpr size_t kLargest = (size_t{16} << (kClasses - 1)) - kHeader;
  static constexpr size_t of(size_t bytes) {
    return log2((bytes + kHeader - 1) | (kLeast - 1)) - 3;
  }
  static constexpr size_t floor_of(size_t bytes) { return log2(bytes + kHeader) - 4; }

 private:
  static constexpr size_t kLeast = 16;
  static_assert(kHeader < kLeast);
  // As unsigned, which costs no instruction to make wider.
  static constexpr unsigned log2(size_t value) {
    constexpr unsigned kTop = std::numeric_limits<size_t>::digits - 1;
    return kTop - static_cast<unsigned>(std::countl_zero(value));
  }
};

// Multiples of kStep bytes, for a linear run of small classes.
template <size_t kClasses, size_t kStep = kBlockAlignment>
struct MultiplesOf {
  static constexpr size_t kCount = kClasses;
  static constexpr size_t kLargest = kClasses * kStep;
  static constexpr size_t size(size_t c) { return (c + 1) * kStep; }
  static constexpr size_t of(size_t bytes) { return bytes == 0 ? 0 : (bytes - 1) / kStep; }
  static constexpr size_t floor_of(size_t bytes) { return bytes / kStep - 1; }
};

}  // namespace mmt::layers
