#pragma once
// A list of what looks at the blocks that leave threads: types, each with
//   static void see(Heap& heap, const Batch& batch);
#include <type_traits>

#include <mmt/sys/thread.h>

#include "heap/gates/batch.h"

namespace mmt::heap {

struct Heap;

template <class... Each>
struct InspectionList {
  static constexpr bool kAny = sizeof...(Each) != 0;
  // A thread that looks blocks signals by SignalsBlocked.
  struct Nothing {};
  using SignalsBlocked = std::conditional_t<kAny, sys::SignalsBlocked, Nothing>;
  static void see([[maybe_unused]] Heap& heap, [[maybe_unused]] const Batch& batch) {
    (Each::see(heap, batch), ...);
  }
};

}  // namespace mmt::heap
