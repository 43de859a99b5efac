#pragma once
// FitProcess is a fit policy as the one heap of a process. It lies over a stretch of address space
// that is its alone. The stretch is at most so large as there is address space to be had
// (layers/source/reserved_heap.h).
#include <mmt/layers/fit/fit_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "heaps/layered_process.h"

namespace mmt::heaps {

template <template <class> class Policy, auto... kOptions>
using FitProcess =
    LayeredProcess<layers::Pipe<layers::ReservedHeap<size_t{1} << 40>,
                                layers::Fitting<layers::FitChoice<Policy, kOptions...>>>>;

}  // namespace mmt::heaps
