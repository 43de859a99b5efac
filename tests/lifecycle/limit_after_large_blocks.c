// From a limit on memory on, what the program has freed is not kept from it.
// @only protocol glibc
// @without phk hoard libjemalloc.so.2 libmimalloc.so.2 (which keep it themselves)

#include <sys/mman.h>
#include <sys/resource.h>

#include "support/processes.h"

int main(void) {
  const size_t large = (size_t)30 << 20;
  allocate_volume(8);
  const struct rlimit limit = {mapped_bytes() + ((size_t)50 << 20), RLIM_INFINITY};
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
  void* block = malloc(large);
  EXPECT(block != NULL);
  free(block);
  EXPECT(mmap(NULL, large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
         MAP_FAILED);
  return 0;
}
