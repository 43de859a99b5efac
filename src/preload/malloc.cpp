// The names of malloc and of operator new, over the heap that the memory thread serves.
#include <cstddef>

#include "preload/doors.h"

static_assert(mmt::names::IsProcessHeap<mmt::names::ProcessHeap>);

#include "names/c_names.h"
#include "names/cxx_names.h"

// Their fast paths are the heap's; what these cannot do the names see to.
MMT_EXPORT void* malloc(size_t bytes) { return p::Names::allocate(bytes, p::by_c()); }
MMT_EXPORT void free(void* block) { p::Names::deallocate(block, p::by_c()); }

// Frees each block as free does, for programs that free many blocks at once. Runs of one class,
// unless short, go past the thread's caches to the memory thread, together.
MMT_EXPORT void mmt_free_batch(void* const* blocks, size_t count) {
  while (count > 0) {
    size_t done =
        mmt::names::is_perturbing() ? 0 : mmt::names::ProcessHeap::deallocate_run(blocks, count);
    if (done == 0) {
      p::Names::deallocate(*blocks, p::by_c());
      done = 1;
    }
    blocks += done;
    count -= done;
  }
}
