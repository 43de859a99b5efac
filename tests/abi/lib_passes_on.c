// A library that passes malloc, free and setgroups on to whom it finds behind it, looked up at the
// first call of each, for passed_on.c.

#include <dlfcn.h>
#include <grp.h>
#include <stddef.h>

long passed_on;

void* malloc(size_t size) {
  static void* (*next)(size_t);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "malloc");
  ++passed_on;
  return next(size);
}
void free(void* block) {
  static void (*next)(void*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "free");
  ++passed_on;
  next(block);
}
int setgroups(size_t count, const gid_t* list) {
  static int (*next)(size_t, const gid_t*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "setgroups");
  ++passed_on;
  return next(count, list);
}
