// Beside libc's debugging library mcheck guards the blocks: MCHECK_OK for good ones, MCHECK_TAIL
// where somebody has written behind one.
// @without libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4 libtbbmalloc_proxy.so.2

#include <dlfcn.h>
#include <malloc.h>
#include <mcheck.h>

#include "support/libc_debugging.h"
#include "support/pattern.h"

static enum mcheck_status found = MCHECK_OK;
static void note(enum mcheck_status status) { found = status; }

static void check(int before) {
  int (*begin)(void (*)(enum mcheck_status)) = NULL;
  enum mcheck_status (*probe)(void*) = NULL;
  *(void**)&begin = dlsym(RTLD_DEFAULT, "mcheck");
  *(void**)&probe = dlsym(RTLD_DEFAULT, "mprobe");
  EXPECT(begin != NULL && probe != NULL);
  const bool guards = begin(note) == 0 && before;
  for (size_t size = 1; size < (2 << 20); size = size * 2 + 1) {
    char* p = malloc(size);
    fill_pattern(p, size, size);
    p = realloc(p, size * 3);
    check_prefix(p, size, size, size);
    EXPECT(!guards || probe(p) == MCHECK_OK);
    free(p);
    free(calloc(size, 1));
    free(memalign(64, size));
  }
  EXPECT(found == MCHECK_OK);
  char* volatile p = malloc(100);
  if (guards) {
    p[100] = 1;
    probe(p);
    EXPECT(found == MCHECK_TAIL);
    return;  // it is not to be freed so
  }
  free(p);
}

int main(int argc, char** argv) { return run_beside_libc_debugging(argc, argv, check); }
