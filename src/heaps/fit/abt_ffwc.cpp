// libmmt-abt-ffwc.so: the names of malloc and of operator new over a tree of free chunks by
// address, first fit, joined.
#include <mmt/layers/fit/tree/address_tree.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
template <class ArenaType>
using Tree = layers::fit::AddressTree<ArenaType>;

using ProcessHeap =
    heaps::FitProcess<Tree,
                      layers::fit::TreeOptions{.fit = layers::fit::Fit::kFirst, .coalesces = true}>;
}  // namespace mmt::abi

#include "heaps/library.inc"
