// A library opened with RTLD_DEEPBIND finds libc's malloc before the preloaded one; what it returns
// is freed and resized by the program.

#include <dlfcn.h>

#include "support/pattern.h"

int main(int argc, char** argv) {
  (void)argc;
  char path[4096];
  snprintf(path, sizeof path, "%.*s/lib_gives_blocks.so", (int)(strrchr(argv[0], '/') - argv[0]),
           argv[0]);
  void* library = dlopen(path, RTLD_NOW | RTLD_DEEPBIND);
  EXPECT(library != NULL, "%s", dlerror());
  void* (*give)(size_t) = NULL;
  void (*take)(void*) = NULL;
  *(void**)&give = dlsym(library, "give_block");
  *(void**)&take = dlsym(library, "take_block");
  for (size_t size = 1; size < (4 << 20); size = size * 2 + 1) {
    void* p = give(size);
    fill_pattern(p, size, size);
    p = realloc(p, size + 100);
    check_prefix(p, size, size, size);
    free(p);
    free(give(size));
    take(give(size));
  }
  return 0;
}
