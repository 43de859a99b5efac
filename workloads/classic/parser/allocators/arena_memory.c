#include "classic/parser/allocators/arena_memory.h"

#include <sys/mman.h>

void* arena_memory(void) {
  void* memory =
      mmap(NULL, kArenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) parser_fail(kStatusWrong, "no memory for the arena");
  return memory;
}

void arena_full(void) {
  parser_fail(kStatusWrong, "a sentence needs more than the arena's %d bytes", kArenaBytes);
}
