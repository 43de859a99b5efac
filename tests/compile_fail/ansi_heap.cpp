// AnsiHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error AnsiHeap: the blocks of its super-heap are not aligned for any type
using Tested = Pipe<Shy, Ansi>;
#elif WRONG == 2  // @error AnsiHeap: its super-heap has no get_size\(block\), which realloc needs
using Tested = Pipe<Plain, Ansi>;
#elif WRONG == 3  // @error AnsiHeap: its super-heap serves one size only
using Tested = Pipe<Sized, Freelist, Ansi>;
#elif WRONG == 4  // @error AnsiHeap: its super-heap has realloc already
using Tested = Pipe<Sized, Ansi, Ansi>;
#elif WRONG == 5  // @error AnsiHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Ansi>;
#else
using Tested = Pipe<Sized, Ansi>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
