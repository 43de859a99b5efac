// libmmt-sgf-bfwc.so: the names of malloc and of operator new over lists of free chunks by size,
// best fit, joined.
#include <mmt/layers/fit/segregated_fit.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
using ProcessHeap = heaps::FitProcess<layers::fit::SegregatedFit,
                                      layers::fit::SegregatedOptions{.fit = layers::fit::Fit::kBest,
                                                                     .coalesces = true}>;
}  // namespace mmt::abi

#include "heaps/library.inc"
