// calloc gives zeroes, from fresh memory and from memory that was dirty when it was freed.

#include "support/pattern.h"

static void round_of(size_t size, int blocks) {
  void* p[64];
  for (int i = 0; i < blocks; ++i) {
    p[i] = malloc(size);
    EXPECT(p[i] != NULL);
    memset(p[i], 0xa5, size);
  }
  for (int i = 0; i < blocks; ++i) free(p[i]);
  for (int i = 0; i < blocks; ++i) {
    p[i] = i % 2 ? calloc(1, size) : calloc(size, 1);
    EXPECT(p[i] != NULL);
    check_zero(p[i], size);
    memset(p[i], 0x5a, size);
  }
  for (int i = 0; i < blocks; ++i) free(p[i]);
}

int main(void) {
  for (size_t size = 1; size <= 2048; ++size) round_of(size, 64);
  for (size_t size = 2048; size <= (1 << 20); size += size / 7 + 13) round_of(size, 16);
  for (size_t size = 1 << 20; size <= (64 << 20); size *= 2) round_of(size + 4095, 2);
  // One size freed, others taken out of the same memory.
  for (int i = 0; i < 20000; ++i) {
    size_t size = 16 + (size_t)(i * 37 % 3000);
    char* p = calloc(1, size);
    check_zero(p, size);
    memset(p, 0xff, size);
    free(p);
  }
  return 0;
}
