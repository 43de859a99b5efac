// libmmt-sqf-ff.so: the names of malloc and of operator new over a list of free chunks, first fit.
#include <mmt/layers/fit/sequential_fit.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
template <class ArenaType>
using List = layers::fit::SequentialFit<ArenaType>;

using ProcessHeap =
    heaps::FitProcess<List, layers::fit::SequentialOptions{.fit = layers::fit::Fit::kFirst,
                                                           .coalesces = false}>;
}  // namespace mmt::abi

#include "heaps/library.inc"
