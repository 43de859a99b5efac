// A program may define malloc itself and reach the next one through dlsym, as tracers do. The
// look-up allocates while the answer is not known yet.

#include <dlfcn.h>

#include "support/expect.h"

const int proof_of_preload_elsewhere =
    1;  // malloc is this program's own, proof.c looks at RTLD_NEXT

static void* (*next_malloc)(size_t);
static void (*next_free)(void*);
static long calls = 0;

static char arena[4096];
static size_t arena_used = 0;

void* malloc(size_t size) {
  static __thread int resolving = 0;
  if (next_malloc == NULL) {
    if (resolving) {
      arena_used += (size + 15) & ~(size_t)15;
      EXPECT(arena_used <= sizeof arena);
      return arena + arena_used - ((size + 15) & ~(size_t)15);
    }
    resolving = 1;
    *(void**)&next_malloc = dlsym(RTLD_NEXT, "malloc");
    *(void**)&next_free = dlsym(RTLD_NEXT, "free");
    resolving = 0;
  }
  ++calls;
  return next_malloc(size);
}

void free(void* p) {
  if ((char*)p >= arena && (char*)p < arena + sizeof arena) return;
  if (next_free == NULL) *(void**)&next_free = dlsym(RTLD_NEXT, "free");
  next_free(p);
}

int main(void) {
  for (int i = 0; i < 10000; ++i) {
    char* p = malloc((size_t)i);
    OPAQUE(p);
    free(p);
    // These two are the library's own, and their blocks meet our free.
    char* q = calloc(1, (size_t)i + 1);
    q = realloc(q, (size_t)i * 2 + 1);
    EXPECT(q != NULL && q[0] == 0);
    free(q);
    free(strdup("text"));
  }
  EXPECT(calls >= 20000);
  return 0;
}
