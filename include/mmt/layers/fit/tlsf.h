#pragma once
// Two-level segregated fit (Masmano, Ripoll, Crespo, Real, 2004) has classes by the logarithm of
// the size, and 32 even steps within each. A request is rounded up to a class of which every chunk
// will do. The bits of the lists find that class. Every operation takes a bounded time. This is a
// fit policy (fit/policy.h); it always joins free neighbours.
#include <bit>
#include <cstddef>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/class_lists.h>

namespace mmt::layers::fit {

class TlsfClasses {
  static constexpr unsigned kStepBits = 5;
  static constexpr size_t kSteps = size_t{1} << kStepBits;
  static constexpr unsigned kLargest = 46;  // of a size in granules, the logarithm

 public:
  static constexpr size_t kCount = (kLargest - kStepBits + 2) * kSteps;

  constexpr explicit TlsfClasses(size_t granule)
      : shift_(static_cast<unsigned>(std::countr_zero(granule))) {}

  constexpr size_t of(size_t bytes) const { return class_of(bytes >> shift_); }
  // The first class of which every chunk has as many bytes.
  constexpr size_t sufficient(size_t bytes) const {
    const size_t granules = bytes >> shift_;
    if (granules < 2 * kSteps) return class_of(granules);
    const unsigned logarithm = static_cast<unsigned>(std::bit_width(granules)) - 1;
    return class_of(granules + (size_t{1} << (logarithm - kStepBits)) - 1);
  }

 private:
  static constexpr size_t class_of(size_t granules) {
    if (granules < kSteps) return granules;
    const unsigned logarithm = static_cast<unsigned>(std::bit_width(granules)) - 1;
    const size_t step = granules >> (logarithm - kStepBits);  // from kSteps to 2 * kSteps - 1
    return (logarithm - kStepBits) * kSteps + step;
  }

  unsigned shift_;
};

struct TlsfOptions {
  SplitEnd split = SplitEnd::kLow;
};

template <class ArenaType>
class Tlsf : public ClassLists<ArenaType, TlsfClasses> {
  using Base = ClassLists<ArenaType, TlsfClasses>;
  using Base::arena_;
  using typename Base::List;

 public:
  constexpr explicit Tlsf(Shape shape, TlsfOptions options = {})
      : Base(shape, TlsfClasses(shape.granule), true, options.split) {}

  Address allocate(size_t asked) {
    const size_t needed = Base::bytes_for(asked);
    if (MMT_UNLIKELY(needed == 0)) return kNone;
    const size_t c = Base::first_from(Base::classes().sufficient(needed));
    if (MMT_LIKELY(c != TlsfClasses::kCount)) {
      arena_.probe().visited();
      return Base::take(Base::list(c).first(), c, needed);
    }
    const Address grown = Base::grow(needed);
    if (grown == kNone) return kNone;
    return Base::take(grown, Base::classes().of(List::bytes(arena_, grown)), needed);
  }
};

}  // namespace mmt::layers::fit
