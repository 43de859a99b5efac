// The dynamic linker allocates: failing look-ups (their message), loading and unloading, with other
// threads doing the same.

#include <dlfcn.h>
#include <pthread.h>

#include "support/expect.h"

static void* look_up(void* arg) {
  char name[64];
  for (int i = 0; i < 500; ++i) {
    snprintf(name, sizeof name, "no_such_symbol_%s_%d", (const char*)arg, i);
    EXPECT(dlsym(RTLD_DEFAULT, name) == NULL);
    const char* text = dlerror();
    EXPECT(text != NULL && strstr(text, name) != NULL, "%s", name);
    EXPECT(dlopen("/no/such/library.so", RTLD_NOW) == NULL);
    EXPECT(dlerror() != NULL);
    void* m = dlopen("libm.so.6", RTLD_NOW);
    EXPECT(m != NULL && dlsym(m, "cos") != NULL);
    dlclose(m);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  static char names[4][4] = {"a", "b", "c", "d"};
  for (int t = 0; t < 4; ++t) EXPECT(pthread_create(&threads[t], NULL, look_up, names[t]) == 0);
  look_up("main");
  for (int t = 0; t < 4; ++t) pthread_join(threads[t], NULL);
  return 0;
}
