// Beside libc's debugging library mtrace writes its log, and blocks have the sizes they were asked
// for.
// @env MALLOC_TRACE={dir}/log
// @without libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4 libtbbmalloc_proxy.so.2

#include <malloc.h>
#include <mcheck.h>
#include <stdio.h>

#include "support/libc_debugging.h"
#include "support/pattern.h"

static bool log_has(const char* text) {
  char line[512];
  bool found = false;
  FILE* log = fopen(getenv("MALLOC_TRACE"), "r");
  EXPECT(log != NULL);
  while (fgets(line, sizeof line, log) != NULL) found |= strstr(line, text) != NULL;
  fclose(log);
  return found;
}

static void check(int before) {
  mtrace();
  char* a = malloc(12345);
  char* b = calloc(10, 10);
  const size_t usable = malloc_usable_size(a);
  EXPECT(usable >= 12345 && usable <= 40000, "%zu", usable);
  fill_pattern(a, 12345, 1);
  a = realloc(a, 200000);
  check_prefix(a, 12345, 12345, 1);
  void* c = aligned_alloc(64, 640);
  EXPECT((uintptr_t)c % 64 == 0);
  for (int i = 0; i < 20000; ++i) free(malloc(1 + (size_t)i % 5000));
  for (size_t size = 1; size < (4 << 20); size *= 3) free(realloc(malloc(size), size / 2 + 1));
  free(a);
  free(b);
  free(c);
  muntrace();
  if (before) EXPECT(log_has("0x3039"));
}

int main(int argc, char** argv) { return run_beside_libc_debugging(argc, argv, check); }
