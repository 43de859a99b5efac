// The process has used up its number of mappings (vm.max_map_count). Allocation goes on or gives
// NULL and ENOMEM. Freeing works although the kernel refuses to split or advise. All recovers when
// the mappings go.

#include <sys/mman.h>

#include "support/processes.h"

enum { kMost = 1 << 21, kBlocks = 20000 };
static void* maps[kMost];
static void* blocks[kBlocks];

int main(void) {
  char text[64];
  EXPECT(read_small_file("/proc/sys/vm/max_map_count", text, sizeof text) > 0);
  long most = atol(text);
  if (most > kMost) most = kMost;
  for (int i = 0; i < kBlocks / 2; ++i) memset(blocks[i] = malloc(3000), 1, 3000);
  // Pages of alternating rights cannot be merged into one mapping.
  int n = 0;
  for (; n < most; ++n) {
    maps[n] = mmap(NULL, 4096, n % 2 ? PROT_READ : PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (maps[n] == MAP_FAILED) break;
  }
  EXPECT(n > 1000);
  int refused = 0;
  for (int i = kBlocks / 2; i < kBlocks; ++i) {
    size_t size = i % 100 == 0 ? 3 << 20 : 3000;
    errno = 0;
    blocks[i] = malloc(size);
    if (blocks[i] != NULL) memset(blocks[i], 2, size);
    if (blocks[i] == NULL) {
      EXPECT(errno == ENOMEM);
      ++refused;
    }
  }
  for (int i = 0; i < kBlocks; ++i) {
    EXPECT(blocks[i] == NULL || ((char*)blocks[i])[2999] == (i < kBlocks / 2 ? 1 : 2));
    free(blocks[i]);
  }
  for (int i = 0; i < 1000; ++i) free(malloc(200000));
  usleep(1500000);  // decay works under the limit too
  for (int i = 0; i < n; ++i) munmap(maps[i], 4096);
  printf("%d mappings, %d refused\n", n, refused);
  allocate_volume(128);
  void* p = malloc(100 << 20);
  EXPECT(p != NULL);
  memset(p, 1, 100 << 20);
  free(p);
  return 0;
}
