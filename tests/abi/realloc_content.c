// realloc keeps the common prefix through growing, shrinking and random sizes, small to 8 MiB.

#include "support/pattern.h"

static void* resize(void* p, size_t from, size_t to, uint64_t id) {
  void* q = realloc(p, to);
  EXPECT(q != NULL, "%zu to %zu", from, to);
  EXPECT((uintptr_t)q % 16 == 0);
  check_prefix(q, from < to ? from : to, from, id);
  fill_pattern(q, to, id);
  return q;
}

int main(void) {
  size_t size = 1;
  void* p = malloc(size);
  fill_pattern(p, size, 1);
  for (size_t next = 2; next < 20000; next += 1 + next / 50) {
    p = resize(p, size, next, 1);
    size = next;
  }
  for (; size > 2; size -= 1 + size / 60) p = resize(p, size, size - 1 - size / 60, 1);
  free(p);

  enum { kSlots = 64 };
  void* slot[kSlots];
  size_t sizes[kSlots];
  uint64_t seed = 42;
  for (uint64_t i = 0; i < kSlots; ++i) {
    sizes[i] = 1 + next_random(&seed) % 1000;
    slot[i] = malloc(sizes[i]);
    fill_pattern(slot[i], sizes[i], i);
  }
  for (int round = 0; round < 30000; ++round) {
    uint64_t i = next_random(&seed) % kSlots;
    size_t limit = (size_t)1 << (4 + next_random(&seed) % (round % 100 ? 13 : 20));
    size_t to = 1 + next_random(&seed) % limit;
    slot[i] = resize(slot[i], sizes[i], to, i);
    sizes[i] = to;
  }
  for (uint64_t i = 0; i < kSlots; ++i) {
    check_pattern(slot[i], sizes[i], i);
    free(slot[i]);
  }
  return 0;
}
