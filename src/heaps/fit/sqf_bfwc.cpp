// libmmt-sqf-bfwc.so: the names of malloc and of operator new over a list of free chunks, best fit,
// joined.
#include <mmt/layers/fit/sequential_fit.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
using ProcessHeap = heaps::FitProcess<layers::fit::SequentialFit,
                                      layers::fit::SequentialOptions{.fit = layers::fit::Fit::kBest,
                                                                     .coalesces = true}>;
}  // namespace mmt::abi

#include "heaps/library.inc"
