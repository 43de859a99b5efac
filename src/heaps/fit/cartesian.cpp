// libmmt-cartesian.so: the names of malloc and of operator new over the Cartesian tree of free
// chunks.
#include <mmt/layers/fit/tree/cartesian_tree.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
template <class ArenaType>
using Tree = layers::fit::CartesianTree<ArenaType>;

using ProcessHeap = heaps::FitProcess<Tree>;
}  // namespace mmt::abi

#include "heaps/library.inc"
