// A program with one thread that is run again has all its blocks at the same addresses, with
// address randomisation off. This holds however the machine's other work interrupts the program.
// @only mmt layered glibc
// @needs personality

#include <sys/personality.h>

#include "support/processes.h"

enum { kBlocks = 3000, kSteps = 60000, kRuns = 6 };

// The hash is of the addresses of all blocks, as they come.
static uint64_t addresses(bool slowly) {
  static void* blocks[kBlocks];
  uint64_t seed = 1, hash = 0;
  for (int i = 0; i < kSteps; ++i) {
    const uint64_t r = next_random(&seed);
    void** const slot = &blocks[r % kBlocks];
    const uint64_t kind = r / kBlocks % 1000;
    size_t size = 1 + r / 3000000 % 600;
    if (kind < 40) size = 1 + r / 3000000 % 60000;
    if (kind < 2) size = 300000 + r / 3000000 % 3000000;
    if (kind % 3 == 0) {
      *slot = realloc(*slot, size);
    } else {
      free(*slot);
      *slot = kind % 5 == 0 ? calloc(1, size) : malloc(size);
    }
    EXPECT(*slot != NULL);
    memset(*slot, 1, size < 5000 ? size : 5000);
    hash = (hash ^ (uint64_t)(uintptr_t)*slot) * 0x9e3779b97f4a7c15u;
    if (slowly && i % (kSteps / 8) == 0) usleep(300000);
  }
  // A burst after which much is free, and a pause in which it could go back.
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  if (slowly) usleep(100000);
  for (int i = 0; i < kBlocks; ++i)
    hash = (hash ^ (uint64_t)(uintptr_t)(blocks[i] = malloc(5000))) * 0x9e3779b97f4a7c15u;
  return hash;
}

int main(int argc, char** argv) {
  if (argc > 1) {
    const uint64_t hash = addresses(argv[1][0] == 's');
    EXPECT(write(STDOUT_FILENO, &hash, sizeof hash) == sizeof hash);
    return 0;
  }
  if (personality(ADDR_NO_RANDOMIZE) == -1) return 77;  // some sandboxes forbid it
  uint64_t first = 0;
  for (int i = 0; i < kRuns; ++i) {
    int ends[2];
    uint64_t hash = 0;
    EXPECT(pipe(ends) == 0);
    fflush(NULL);
    const int out = dup(STDOUT_FILENO);
    EXPECT(dup2(ends[1], STDOUT_FILENO) >= 0 && close(ends[1]) == 0);
    pid_t child = start_self(i == kRuns - 1 ? "slowly" : "quick!");
    EXPECT(dup2(out, STDOUT_FILENO) >= 0 && close(out) == 0);
    EXPECT(read(ends[0], &hash, sizeof hash) == sizeof hash);
    close(ends[0]);
    expect_success(child);
    if (i == 0) first = hash;
    EXPECT(hash == first, "run %d", i);
  }
  return 0;
}
