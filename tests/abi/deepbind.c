// A library opened with RTLD_DEEPBIND, which finds libc's names before the preloaded ones, shares
// the program's heap. Each of the two frees, resizes and measures what the other gives, from the
// library's constructor on.
// @only mmt layered protocol glibc

#include <malloc.h>

#include "support/pattern.h"
#include "support/plugin.h"

enum { kWays = 9 };

static void* (*give)(int, size_t);
static void (*take)(void*);
static void* (*resize)(void*, size_t);
static size_t (*size_of)(void*);

static void exchange(size_t size) {
  for (int way = 0; way < kWays; ++way) {
    void* p = give(way, size);
    EXPECT(p != NULL && malloc_usable_size(p) >= size, "way %d size %zu", way, size);
    fill_pattern(p, size, size);
    p = realloc(p, size + 100);
    check_prefix(p, size, size, size);
    take(p);
    free(give(way, size));
    take(give(way, size));
  }
  void* of_program[] = {malloc(size), calloc(1, size), memalign(256, size)};
  for (int i = 0; i < 3; ++i) {
    fill_pattern(of_program[i], size, size);
    EXPECT(size_of(of_program[i]) >= size);
    void* p = resize(of_program[i], size * 2 + 9);
    check_prefix(p, size, size, size);
    free(resize(p, size / 2 + 1));
    take(malloc(size));
  }
}

int main(int argc, char** argv) {
  (void)argc;
  void* library = open_plugin(argv[0], "lib_deepbound.so", RTLD_NOW | RTLD_DEEPBIND);
  *(void**)&give = find_in_plugin(library, "give_block");
  *(void**)&take = find_in_plugin(library, "take_block");
  *(void**)&resize = find_in_plugin(library, "resize_block");
  *(void**)&size_of = find_in_plugin(library, "size_of_block");
  char* (*copy)(const char*) = NULL;
  *(void**)&copy = find_in_plugin(library, "copy_text");
  void** early = find_in_plugin(library, "early_block");
  EXPECT(malloc_usable_size(*early) >= 77);
  free(*early);
  for (int i = 0; i < 1000; ++i) {
    free(copy("of the library"));
    take(strdup("of the program"));
  }
  for (size_t size = 1; size < (4 << 20); size = size * 2 + 1) exchange(size);
  return 0;
}
