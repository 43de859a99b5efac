// SelectHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/combine/select_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error SelectHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Select<100, Pipe<Plain, Chunk<4096>>>>;
#elif WRONG == 2  // @error SelectHeap: the small heap has no malloc\(size_t\) and free\(void\*\)
using Tested = Pipe<Plain, Select<100, Nothing>>;
#elif WRONG == 3  // @error SelectHeap: neither the small heap nor the super-heap has owns
using Tested = Pipe<Plain, Select<100, Sized>>;
#elif WRONG == 4  // @error SelectHeap: the blocks of one of its heaps are skewed
using Tested = Pipe<Plain, Select<100, Pipe<Plain, Chunk<4096, 8>>>>;
#elif WRONG == 5  // @error SelectHeap: its super-heap serves one size only
using Tested = Pipe<OneSize, Select<100, Pipe<Plain, Chunk<4096>>>>;
#else
using Tested = Pipe<Plain, Select<100, Pipe<Plain, Chunk<4096>>>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
