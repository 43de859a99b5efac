// A library opened with RTLD_DEEPBIND, as PHP opens its own, changes the user of every thread, the
// library's included, as the program would.
// @root

#include <dlfcn.h>
#include <pthread.h>

#include "support/ordinary_user.h"
#include "support/plugin.h"
#include "support/user_of_threads.h"

int main(int argc, char** argv) {
  (void)argc;
  void* library = open_plugin(argv[0], "lib_changes_user.so", RTLD_NOW | RTLD_DEEPBIND);
  int (*change)(unsigned) = NULL;
  *(void**)&change = find_in_plugin(library, "change_user");
  allocate_volume(64);
  pthread_t threads[3];
  for (uintptr_t t = 0; t < 3; ++t)
    EXPECT(pthread_create(&threads[t], NULL, churn_thread, (void*)t) == 0);
  EXPECT(change(kNobody) == 0);
  check_all_threads(kNobody);
  churn_stop = 1;
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], NULL);
  return 0;
}
