// libmmt-sbt-bfwc.so: the names of malloc and of operator new over trees of free chunks by size,
// better fit, joined.
#include <mmt/layers/fit/tree/segregated_tree.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
template <class ArenaType>
using Tree = layers::fit::SegregatedTree<ArenaType>;

using ProcessHeap =
    heaps::FitProcess<Tree, layers::fit::TreeOptions{.fit = layers::fit::Fit::kBetter,
                                                     .coalesces = true}>;
}  // namespace mmt::abi

#include "heaps/library.inc"
