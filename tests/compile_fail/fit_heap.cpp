// FitHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/fit/fit_heap.h>
#include <mmt/layers/fit/sequential_fit.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

using FirstFit = FitChoice<fit::SequentialFit>;
struct Bare : FirstFit {
  static constexpr fit::Shape kShape = fit::kPaperShape;
};
struct Narrow : FirstFit {
  static constexpr fit::Shape kShape{fit::Header::kWord, 8, 4096};
};
struct Wide : FirstFit {
  static constexpr fit::Shape kShape{fit::Header::kWord, 64, 4096};
};
struct Idle : FirstFit {
  template <class ArenaType>
  struct Policy {};
};

#if WRONG == 1  // @error FitHeap: its super-heap's blocks do not follow one another
using Tested = Pipe<Plain, Fitting<FirstFit>>;
#elif WRONG == 2  // @error FitHeap: its policy's chunks have no header
using Tested = Pipe<ReservedHeap<>, Fitting<Bare>>;
#elif WRONG == 3  // @error FitHeap: its policy's granule is less
using Tested = Pipe<ReservedHeap<>, Fitting<Narrow>>;
#elif WRONG == 4  // @error FitHeap: the blocks of its super-heap are aligned to less
using Tested = Pipe<ReservedHeap<>, Fitting<Wide>>;
#elif WRONG == 5  // @error FitHeap: its choice's Policy does not offer
using Tested = Pipe<ReservedHeap<>, Fitting<Idle>>;
#elif WRONG == 6  // @error FitHeap: its super-heap has no malloc
using Tested = Pipe<int, Fitting<FirstFit>>;
#else
using Tested = Pipe<ReservedHeap<>, Fitting<FirstFit>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
