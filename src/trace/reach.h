#pragma once
// Chunks that this process can reach: those of the pool's own file, and of another one where that
// has no room for more.
#include <cstddef>

#include "trace/pool.h"

namespace mmt::trace {

// As take_chunk(). Maps the other file when a chunk of it is the first; a chunk that cannot be had
// for that goes back, and is counted.
size_t take_reachable_chunk(Pool& pool);

}  // namespace mmt::trace
