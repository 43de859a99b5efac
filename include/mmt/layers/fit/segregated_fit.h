#pragma once
// Segregated fit, as Doug Lea's allocator before its caches: free chunks in a list for each class
// of sizes; a request looks into its own class, then into the next larger one that has a chunk, and
// cuts what is too large. A fit policy (fit/policy.h).
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/class_lists.h>
#include <mmt/layers/fit/fit.h>

namespace mmt::layers::fit {

enum class ListClasses : uint8_t {
  kLea,    // 64 of one size each, 64 ever wider ones
  kEight,  // steps of 64 bytes, as the trees of SBT: eight, the last from 448 bytes on
  kNine,   // the last from 512 bytes on
};

// Of chunk sizes, whole granules.
class SegregatedClasses {
 public:
  static constexpr size_t kCount = 128;

  constexpr SegregatedClasses(ListClasses kind, size_t granule) : kind_(kind), granule_(granule) {}

  constexpr size_t of(size_t bytes) const {
    if (kind_ != ListClasses::kLea) {
      const size_t last = kind_ == ListClasses::kEight ? 7 : 8;
      return bytes / 64 < last ? bytes / 64 : last;
    }
    const size_t granules = bytes / granule_;
    if (granules < 64) return granules;
    // Lea's bins, whose unit is a granule of 8 bytes.
    if (granules / 8 <= 32) return 56 + granules / 8;
    if (granules / 64 <= 20) return 91 + granules / 64;
    if (granules / 512 <= 10) return 110 + granules / 512;
    if (granules / 4096 <= 4) return 119 + granules / 4096;
    if (granules / 32768 <= 2) return 124 + granules / 32768;
    return 126;
  }

 private:
  ListClasses kind_;
  size_t granule_;
};

struct SegregatedOptions {
  Fit fit = Fit::kFirst;  // or kBest: within a class; or kWorst: in the largest
  bool coalesces = false;
  ListClasses classes = ListClasses::kLea;
  SplitEnd split = SplitEnd::kHigh;
};

template <class ArenaType>
class SegregatedFit : public ClassLists<ArenaType, SegregatedClasses> {
  using Base = ClassLists<ArenaType, SegregatedClasses>;
  using Base::arena_;
  using typename Base::List;

 public:
  static constexpr bool offers(Fit fit) {
    return fit == Fit::kFirst || fit == Fit::kBest || fit == Fit::kWorst;
  }

  constexpr explicit SegregatedFit(Shape shape, SegregatedOptions options = {})
      : Base(shape, {options.classes, shape.granule}, options.coalesces, options.split),
        fit_(options.fit) {}

  Address allocate(size_t asked) {
    const size_t needed = Base::bytes_for(asked);
    if (MMT_UNLIKELY(needed == 0)) return kNone;
    const size_t own = Base::classes().of(needed);
    const size_t highest = fit_ == Fit::kWorst ? Base::last() : own;
    size_t c = Base::first_from(highest < own ? own : highest);
    while (c != SegregatedClasses::kCount) {
      const Address found = search(c, needed);
      if (MMT_LIKELY(found != kNone)) return Base::take(found, c, needed);
      c = Base::first_from(c + 1);
    }
    const Address grown = Base::grow(needed);
    if (grown == kNone) return kNone;
    return Base::take(grown, Base::classes().of(List::bytes(arena_, grown)), needed);
  }

 private:
  Address search(size_t c, size_t needed) {
    Address found = kNone;
    size_t found_bytes = 0;
    for (Address at = Base::list(c).first(); at != kNone; at = List::next(arena_, at)) {
      arena_.probe().visited();
      const size_t bytes = List::bytes(arena_, at);
      if (bytes < needed) continue;
      if (fit_ == Fit::kFirst || (fit_ == Fit::kBest && bytes == needed)) return at;
      const bool is_better =
          found == kNone || (fit_ == Fit::kBest ? bytes < found_bytes : bytes > found_bytes);
      if (!is_better) continue;
      found = at;
      found_bytes = bytes;
    }
    return found;
  }

  Fit fit_;
};

}  // namespace mmt::layers::fit
