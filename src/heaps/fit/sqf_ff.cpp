// libmmt-sqf-ff.so: the names of malloc and of operator new over a list of free chunks, first fit.
#include <mmt/layers/fit/sequential_fit.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
using ProcessHeap = heaps::FitProcess<layers::fit::SequentialFit,
                                      layers::fit::SequentialOptions{
                                          .fit = layers::fit::Fit::kFirst, .coalesces = false}>;
}  // namespace mmt::abi

#include "heaps/library.inc"
