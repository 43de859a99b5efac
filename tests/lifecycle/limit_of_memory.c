// The program gets the most part of what a limit on memory allows. Nobody asks for more than is
// needed and is then refused.
// @only protocol glibc

#include "support/address_space.h"

enum { kRoom = 12 << 20, kBlock = 1000, kMost = 64 << 10 };

int main(void) {
  static void* blocks[kMost];
  limit_address_space(kRoom);
  size_t bytes = 0;
  for (int i = 0; i < kMost && (blocks[i] = malloc(kBlock)) != NULL; ++i) bytes += kBlock;
  EXPECT(bytes >= kRoom / 2, "%zu of %d", bytes, (int)kRoom);
  for (int i = 0; i < kMost; ++i) free(blocks[i]);
  return 0;
}
