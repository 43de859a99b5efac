// Allocates and frees for two seconds and prints how long its longest call took, in milliseconds.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(void) {
  static void* slots[4000];
  uint64_t longest = 0;
  uint64_t random = 1;
  const uint64_t end = now() + 2000000000u;
  for (uint64_t before = now(); before < end;) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const size_t slot = (random >> 33) % 4000;
    free(slots[slot]);
    const size_t bytes = 16 + (random >> 20) % 600;
    slots[slot] = malloc(bytes);
    if (slots[slot] == NULL) return 1;
    memset(slots[slot], 1, bytes);
    const uint64_t after = now();
    if (after - before > longest) longest = after - before;
    before = after;
  }
  printf("%lu\n", (unsigned long)(longest / 1000000));
  return 0;
}
