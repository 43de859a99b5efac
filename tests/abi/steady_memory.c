// Long steady use does not grow: sizes change, blocks come and go, resident memory stays.

#include "support/memory.h"

int main(void) {
  enum { kSlots = 5000 };
  static char* slot[kSlots];
  uint64_t seed = 3;
  size_t settled = 0;
  for (int round = 0; round < 40; ++round) {
    for (int step = 0; step < 100000; ++step) {
      size_t i = next_random(&seed) % kSlots;
      size_t size = 1 + next_random(&seed) % ((size_t)64 << (round % 7));
      free(slot[i]);
      slot[i] = malloc(size);
      slot[i][0] = 1;
      slot[i][size - 1] = 1;
    }
    if (round == 6) settled = resident_bytes();
  }
  // After one turn through all size ranges, at most half more and 16 MiB.
  EXPECT(resident_bytes() < settled + settled / 2 + (16 << 20), "%zu then %zu", settled,
         resident_bytes());
  return 0;
}
