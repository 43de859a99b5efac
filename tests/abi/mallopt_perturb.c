// mallopt(M_PERTURB) fills new blocks with the byte's complement, and freed blocks with the byte.
// Freed blocks of a library behind a protocol are excepted, as the library does as it pleases with
// them.
// @without harden

#include <malloc.h>

#include "support/pattern.h"

enum { kByte = 0x5a, kNew = 0xa5, kLinks = 32 };

static void expect_filled(const volatile unsigned char* block, size_t from, size_t to, int byte) {
  for (size_t i = from; i < to; ++i) EXPECT(block[i] == byte, "%zu of %zu: %#x", i, to, block[i]);
}

static bool fills_freed(void) {
  const char* library = getenv("PRELOAD_PROOF_LIB");
  return library != NULL && strstr(library, "/libmmt-protocol-") == NULL;
}

static void all_forms(size_t size) {
  unsigned char* p = malloc(size);
  expect_filled(p, 0, size, kNew);
  memset(p, 1, size);
  p = realloc(p, 2 * size);
  expect_filled(p, 0, size, 1);
  expect_filled(p, size, 2 * size, kNew);
  // A small one, which stays mapped: all but the first bytes, which an allocator may use.
  volatile unsigned char* freed = p;
  free(p);
  if (size < 4096 && fills_freed()) expect_filled(freed, kLinks, 2 * size, kByte);
  p = memalign(64, size);
  expect_filled(p, 0, size, kNew);
  free(p);
  p = calloc(1, size);
  expect_filled(p, 0, size, 0);
  free(p);
}

int main(void) {
  void* before = malloc(100);
  EXPECT(mallopt(M_PERTURB, kByte) == 1);
  for (size_t size = 40; size < (4 << 20); size = size * 3 + 8) all_forms(size);
  free(before);
  EXPECT(mallopt(M_PERTURB, 0) == 1);
  unsigned char* p = malloc(100);
  memset(p, 7, 100);
  p = realloc(p, 120);
  expect_filled(p, 0, 100, 7);
  free(p);
  return 0;
}
