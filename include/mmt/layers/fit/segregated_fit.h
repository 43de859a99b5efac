#pragma once
// Segregated fit works as Doug Lea's allocator before its caches: free chunks lie in a list for
// each class of sizes. A request looks into its own class, then into the next larger one that has a
// chunk. It cuts what is too large. This is a fit policy (fit/policy.h).
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/class_lists.h>
#include <mmt/layers/fit/fit.h>
#include <mmt/layers/fit/roving_list.h>

namespace mmt::layers::fit {

enum class ListClasses : uint8_t {
  kLea,    // 64 of one size each, 64 ever wider ones
  kEight,  // steps of 64 bytes, as the trees of SBT: eight, the last from 448 bytes on
  kNine,   // the last from 512 bytes on
};

// These are classes of chunk sizes, which are whole granules.
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
  // kBest: within a class; kNext: behind what was taken last of that class; kWorst: in the largest.
  Fit fit = Fit::kFirst;  // not kBetter
  bool coalesces = false;
  ListClasses classes = ListClasses::kLea;
  SplitEnd split = SplitEnd::kHigh;
};

template <class ArenaType>
class SegregatedFit : public ClassLists<ArenaType, SegregatedClasses, RovingList<ArenaType>> {
  using Base = ClassLists<ArenaType, SegregatedClasses, RovingList<ArenaType>>;
  using Base::arena_;
  using typename Base::List;

 public:
  static constexpr bool offers(Fit fit) { return fit != Fit::kBetter; }

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
      if (MMT_LIKELY(found != kNone)) return take(found, c, needed);
      c = Base::first_from(c + 1);
    }
    const Address grown = Base::grow(needed);
    if (grown == kNone) return kNone;
    return take(grown, Base::classes().of(List::bytes(arena_, grown)), needed);
  }

  const char* broken_invariant() const {
    if (const char* const fault = Base::broken_invariant()) return fault;
    for (size_t c = 0; c < SegregatedClasses::kCount; ++c) {
      const List& list = Base::list(c);
      Address at = list.first();
      while (at != list.rover() && at != kNone) at = List::next(arena_, at);
      if (at != list.rover()) return "the next search of a class begins at no chunk of it";
    }
    return nullptr;
  }

 private:
  Address take(Address at, size_t c, size_t needed) {
    // Leaving the list, it moves the rover on to the one behind it.
    if (fit_ == Fit::kNext) Base::list(c).set_rover(at);
    return Base::take(at, c, needed);
  }

  Address search(size_t c, size_t needed) {
    if (fit_ == Fit::kNext) return search_next(Base::list(c), needed);
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
  Address search_next(const List& list, size_t needed) {
    const Address found = first_of(list.rover(), kNone, needed);
    return found != kNone ? found : first_of(list.first(), list.rover(), needed);
  }
  // Searches from one node up to another, without that.
  Address first_of(Address from, Address to, size_t needed) {
    for (Address at = from; at != to; at = List::next(arena_, at)) {
      arena_.probe().visited();
      if (List::bytes(arena_, at) >= needed) return at;
    }
    return kNone;
  }

  Fit fit_;
};

}  // namespace mmt::layers::fit
