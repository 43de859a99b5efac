// Size classes for blocks with boundary tags (see size_classes.h), which have 24, 40, 56, ... bytes
// on LP64; with their word, multiples of the alignment.
#pragma once

#include <cstddef>
#include <iterator>
#include <limits>

#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/header/boundary_tags.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

// A class for each size, from the least on.
template <size_t kClasses>
struct TaggedSizes {
  static constexpr bool kExact = true;
  static constexpr size_t kCount = kClasses;
  static constexpr size_t size(size_t c) { return BoundaryTags::kLeastSize + c * kBlockAlignment; }
  static constexpr size_t kLargest = size(kClasses - 1);
  static constexpr size_t of(size_t bytes) {
    constexpr size_t kLeast = BoundaryTags::kLeastSize;
    return ((bytes < kLeast ? kLeast : bytes) - kBelowLeast) / kBlockAlignment;
  }
  static constexpr size_t floor_of(size_t bytes) {
    return (bytes + kToNext) / kBlockAlignment - kLeastAt;
  }

 private:
  static constexpr size_t kBelowLeast = BoundaryTags::kLeastSize - kBlockAlignment + 1;
  // Sizes are so much less than multiples of the alignment.
  static constexpr size_t kToNext = BoundaryTags::kWord;
  static constexpr size_t kLeastAt = (BoundaryTags::kLeastSize + kToNext) / kBlockAlignment;
};

// Lea's bins for larger blocks begin at kFrom bytes. The first 32 classes are 64 bytes wide. The
// next are 16 of 512 bytes, 8 of 4 KiB, 4 of 32 KiB and 2 of 256 KiB. The last class is for what is
// larger.
template <size_t kFrom>
struct LeaLargeSizes {
  static constexpr size_t kCount = 63;
  static constexpr size_t kLargest = std::numeric_limits<size_t>::max();
  static constexpr size_t size(size_t c) { return kFrom + first_byte<0>(c); }
  static constexpr size_t floor_of(size_t bytes) { return class_of<0>(bytes - kFrom); }
  static constexpr size_t of(size_t bytes) { return bytes <= kFrom ? 0 : floor_of(bytes - 1) + 1; }

 private:
  struct Span {
    size_t count;
    size_t shift;
  };
  static constexpr Span kSpans[] = {{32, 6}, {16, 9}, {8, 12}, {4, 15}, {2, 18}};

  // Counted from the beginning of a span on; recursive, so that no table is read.
  template <size_t kSpan>
  static constexpr size_t first_byte(size_t c) {
    if constexpr (kSpan == std::size(kSpans))
      return 0;
    else {
      constexpr Span kThis = kSpans[kSpan];
      if (c < kThis.count) return c << kThis.shift;
      return (kThis.count << kThis.shift) + first_byte<kSpan + 1>(c - kThis.count);
    }
  }
  template <size_t kSpan>
  static constexpr size_t class_of(size_t bytes) {
    if constexpr (kSpan == std::size(kSpans))
      return 0;
    else {
      constexpr Span kThis = kSpans[kSpan];
      if (bytes < kThis.count << kThis.shift) return bytes >> kThis.shift;
      return kThis.count + class_of<kSpan + 1>(bytes - (kThis.count << kThis.shift));
    }
  }
};

}  // namespace mmt::layers
