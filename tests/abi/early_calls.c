// A library is relocated before the allocator, and chooses a function by code that allocates
// (IFUNC). The library's blocks may be freed, measured and resized for good. The same holds for a
// library that is opened later.
// @without libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4 libtbbmalloc_proxy.so.2

#include <malloc.h>
#include <pthread.h>

#include "support/early.h"
#include "support/plugin.h"

enum { kKept = 40 };

static char** kept;
static size_t* sizes;

static void* end_some(void* unused) {
  for (int i = 0; i < kKept; i += 4) free(kept[i]);
  return unused;
}

static void check_library(void* library) {
  EXPECT(*(int*)find_in_plugin(library, "early_wrong") == 0);
  int (*variant)(void) = NULL;
  *(void**)&variant = find_in_plugin(library, "early_variant");
  EXPECT(variant() == 1);
  kept = find_in_plugin(library, "early_kept");
  sizes = find_in_plugin(library, "early_sizes");
  for (int i = 0; i < kKept; ++i) {
    EXPECT(malloc_usable_size(kept[i]) >= sizes[i]);
    EXPECT(kept[i][0] == 0x5a && kept[i][sizes[i] - 1] == 0x5a);
    // None is given to somebody else meanwhile.
    char* other = malloc(sizes[i]);
    memset(other, 1, sizes[i]);
    free(other);
  }
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, end_some, NULL) == 0 && pthread_join(thread, NULL) == 0);
  for (int i = 0; i < kKept; ++i) {
    if (i % 4 == 0) continue;
    char* moved = i % 4 == 1 ? realloc(kept[i], sizes[i] * 2 + 5000) : kept[i];
    if (i % 4 == 2) moved = realloc(kept[i], sizes[i] / 2 + 1);
    EXPECT(moved != NULL && moved[0] == 0x5a && moved[sizes[i] / 2] == 0x5a);
    free(moved);
  }
}

int main(int argc, char** argv) {
  if (argc > 1) {
    check_library(RTLD_DEFAULT);
    return 0;
  }
  run_before_allocator(argv, "lib_early.so", false);
  run_before_allocator(argv, "lib_early.so", true);
  void* library = open_plugin(argv[0], "lib_early.so", RTLD_NOW | RTLD_GLOBAL);
  open_plugin(argv[0], "lib_early_user.so", RTLD_NOW);
  check_library(library);
  return 0;
}
