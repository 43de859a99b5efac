// ChunkHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error ChunkHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Chunk<4096>>;
#elif WRONG == 2  // @error ChunkHeap: its super-heap's blocks are not aligned
using Tested = Pipe<Shy, Chunk<4096>>;
#elif WRONG == 3  // @error ChunkHeap: kSkewed is an offset within the alignment
using Tested = Pipe<Plain, Chunk<4096, 16>>;
#elif WRONG == 4  // @error ChunkHeap: its super-heap serves one size alone
using Tested = Pipe<OneSize, Chunk<4096, 8>>;
#elif WRONG == 5  // @error ChunkHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Chunk<4096, 8>>;
#else
using Tested = Pipe<Plain, Chunk<4096, 8>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
