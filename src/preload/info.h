#pragma once
// What the malloc family tells about the heap, in the shapes of glibc's <malloc.h>. All of it is a
// walk over the heap (observe/census.h): for diagnosis, not for every call.
#include <malloc.h>
#include <stdio.h>

namespace mmt::heap {
struct Heap;
}  // namespace mmt::heap

namespace mmt::preload {

struct mallinfo2 info(heap::Heap& heap);
// XML as glibc writes it. 0, or an error number.
int print_info(heap::Heap& heap, int options, FILE* stream);
void print_stats(heap::Heap& heap);

}  // namespace mmt::preload
