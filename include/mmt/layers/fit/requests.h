#pragma once
// These functions tell what becomes of a program's requests before a fit policy sees them. FitHeap
// and the simulator both take their decisions here. So a policy is asked for the same by a program
// and by its trace:
//
//   - malloc, calloc   allocate(bytes); 0 counts as 1
//   - aligned          to no more than the granule: as malloc. Else allocate(aligned_bytes(...)):
//                      the owner's address is the first aligned one of what that gave. The policy's
//                      free gets the chunk's own address and that size.
//   - realloc          stays where it is exactly if keeps_place(...) says so, be it to more bytes
//                      or to fewer. Else first allocate(bytes), as malloc, then free of the former.
#include <cstddef>

#include <mmt/layers/heap.h>

namespace mmt::layers::fit {

// What a policy is asked for instead of `bytes` at a multiple of `alignment`, a power of two that
// is larger than the granule. 0: no such block can be had.
constexpr size_t aligned_bytes(size_t bytes, size_t alignment, size_t granule) {
  if (bytes > kMaxRequest || alignment > kMaxRequest - bytes) return 0;
  return (bytes == 0 ? 1 : bytes) + alignment - granule;
}

// `usable`: what the policy says of the chunk. `skipped`: of that, the bytes before the owner's
// address, where it was aligned.
constexpr bool keeps_place(size_t usable, size_t skipped, size_t bytes) {
  return bytes <= usable - skipped;
}

}  // namespace mmt::layers::fit
