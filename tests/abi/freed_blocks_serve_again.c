// As freed_large_blocks_serve_again.c, for many blocks at a time.

#include "support/address_space.h"

enum { kRounds = 100, kRoom = 120 << 20, kBlock = 1 << 20, kMany = 60 };

int main(void) {
  static char* blocks[kMany];
  for (int round = 0; round < kRounds; ++round) {
    // What starts when a program has allocated for a while, starts before the limit.
    if (round == 1) limit_address_space(kRoom);
    for (int i = 0; i < kMany; ++i) {
      blocks[i] = malloc(kBlock);
      EXPECT(blocks[i] != NULL, "block %d, round %d", i, round);
      blocks[i][0] = blocks[i][kBlock - 1] = 1;
    }
    for (int i = 0; i < kMany; ++i) free(blocks[i]);
  }
  return 0;
}
