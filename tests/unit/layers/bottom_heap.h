// What lies below the heaps under test, and outlives them: the process's malloc, counted, which
// refuses when told to. Over<Stages...> is a heap on top of one.
#pragma once

#include <cstdint>

#include <mmt/layers/adapt/ref_heap.h>
#include <mmt/layers/observe/fail_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/malloc_heap.h>

namespace mmt::layers {

using Bottom = Pipe<MallocHeap, Statistics, Fail<FailWhenTold>>;

template <class... Stages>
using OverBottom = Pipe<RefHeap<Bottom>, Stages...>;

inline void refuse_all(Bottom& bottom) { bottom.fail_policy().left = 0; }
inline void serve_all(Bottom& bottom) { bottom.fail_policy().left = SIZE_MAX; }

inline bool is_aligned(const void* block, size_t alignment = kBlockAlignment) {
  return reinterpret_cast<uintptr_t>(block) % alignment == 0;
}

}  // namespace mmt::layers
