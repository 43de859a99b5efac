#pragma once
// What the malloc family tells about a layered heap, in the shapes of glibc's <malloc.h>.
#include <malloc.h>
#include <stdio.h>

#include <mmt/layers/usage.h>

namespace mmt::heaps {

template <class Heap>
layers::Usage usage_of(Heap& heap) {
  if constexpr (requires { heap.usage(); }) return heap.usage();
  return {};
}

struct mallinfo2 wide_info(const layers::Usage& usage);
// XML as glibc writes it; 0, or an error number.
int write_xml(FILE* stream, const struct mallinfo2& info);
// Writes to standard error.
void write_stats(const struct mallinfo2& info);

}  // namespace mmt::heaps
