// A program may define the calls by which memory comes from the system, and allocate in each, as
// tracers of mappings do. Such a program has a malloc that serves it there.
// @timeout 20

#include <sys/mman.h>

#include "support/all_of_malloc.h"
#include "support/interposed.h"

GOES_ON(void*, mmap, (void* at, size_t size, int access, int flags, int file, off_t offset),
        (at, size, access, flags, file, offset))
GOES_ON(int, munmap, (void* at, size_t size), (at, size))
GOES_ON(int, mprotect, (void* at, size_t size, int access), (at, size, access))
GOES_ON(int, madvise, (void* at, size_t size, int advice), (at, size, advice))
GOES_ON(void*, sbrk, (intptr_t more), (more))
GOES_ON(int, brk, (void* end), (end))

int main(void) {
  use_all_of_malloc();
  const long before = interposed_calls();
  void* page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(page != MAP_FAILED && munmap(page, 4096) == 0 && interposed_calls() >= before + 2);
  return 0;
}
