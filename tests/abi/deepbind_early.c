// A library that is opened with RTLD_DEEPBIND before any constructor has run shares the program's
// heap.
// @only mmt layered protocol glibc

#include <malloc.h>

#include "support/pattern.h"
#include "support/plugin.h"

static void* of_library;
static void* of_program;

static void open_early(int argc, char** argv) {
  (void)argc;
  void* library = open_plugin(argv[0], "lib_deepbound.so", RTLD_NOW | RTLD_DEEPBIND);
  void* (*give)(int, size_t) = NULL;
  void (*take)(void*) = NULL;
  *(void**)&give = find_in_plugin(library, "give_block");
  *(void**)&take = find_in_plugin(library, "take_block");
  take(malloc(100));
  of_library = give(0, 1000);
  of_program = malloc(1000);
  fill_pattern(of_library, 1000, 1);
  fill_pattern(of_program, 1000, 2);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int,
                                                                              char**) = open_early;

int main(int argc, char** argv) {
  (void)argc;
  void* library = open_plugin(argv[0], "lib_deepbound.so", RTLD_NOW | RTLD_DEEPBIND);
  void (*take)(void*) = NULL;
  *(void**)&take = find_in_plugin(library, "take_block");
  check_pattern(of_library, 1000, 1);
  check_pattern(of_program, 1000, 2);
  EXPECT(malloc_usable_size(of_library) >= 1000);
  free(of_library);
  take(of_program);
  return 0;
}
