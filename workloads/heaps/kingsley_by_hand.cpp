// libmmt-kingsley-by-hand.so: the Kingsley allocator in one piece, for `mmt study heap-layers`.
#include "heaps/by_hand/kingsley.h"
#include "heaps/layered_process.h"

namespace mmt::names {
using ProcessHeap = heaps::LayeredProcess<heaps::by_hand::Kingsley>;
}  // namespace mmt::names

#include "heaps/library.h"
