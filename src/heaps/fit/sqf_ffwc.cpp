// libmmt-sqf-ffwc.so: the names of malloc and of operator new over a list of free chunks, first
// fit, joined.
#include <mmt/layers/fit/sequential_fit.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
using ProcessHeap = heaps::FitProcess<layers::fit::SequentialFit,
                                      layers::fit::SequentialOptions{
                                          .fit = layers::fit::Fit::kFirst, .coalesces = true}>;
}  // namespace mmt::abi

#include "heaps/library.inc"
