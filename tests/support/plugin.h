// Opens libraries that were built beside the test program.
#pragma once

#include <dlfcn.h>

#include "support/expect.h"

// `program` is argv[0]. Never null.
__attribute__((unused)) static void* open_plugin(const char* program, const char* name, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(program, '/') - program), program, name);
  void* library = dlopen(path, flags);
  EXPECT(library != NULL, "%s", dlerror());
  return library;
}

// What the library offers, or finds, by a name. Never null.
__attribute__((unused)) static void* find_in_plugin(void* library, const char* name) {
  void* found = dlsym(library, name);
  EXPECT(found != NULL, "%s", dlerror());
  return found;
}
