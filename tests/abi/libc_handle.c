// A caller that asks libc's own handle for malloc's family gets what the program's calls lead to.
// Interpreters with foreign calls ask in this way.
// @only mmt layered protocol glibc

#include <malloc.h>

#include "support/malloc_names.h"
#include "support/pattern.h"
#include "support/plugin.h"

int main(void) {
  void* libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  EXPECT(libc != NULL, "%s", dlerror());
  for (size_t i = 0; i < kMallocNameCount; ++i) {
    const char* name = kMallocNames[i];
    EXPECT(dlsym(libc, name) == dlsym(RTLD_DEFAULT, name), "%s", name);
  }
  void (*release)(void*) = NULL;
  void* (*take)(size_t) = NULL;
  *(void**)&release = dlsym(libc, "free");
  *(void**)&take = dlsym(libc, "malloc");
  for (size_t size = 1; size < (4 << 20); size = size * 2 + 1) {
    char* p = take(size);
    EXPECT(p != NULL && malloc_usable_size(p) >= size);
    memset(p, 1, size);
    free(p);
    release(malloc(size));
    release(strdup("text"));
  }
  // libc's table is sealed again.
  char line[512];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps) != NULL) {
    if (strstr(line, "libc.so.6") != NULL)
      EXPECT(strstr(line, "rwx") == NULL && (strstr(line, " rw-p 00000000 ") == NULL), "%s", line);
  }
  fclose(maps);
  return 0;
}
