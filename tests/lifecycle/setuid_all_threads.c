// setuid and setgid change every thread of the process, the library's included: none keeps root's
// rights, and the call does not hang.
// @root

#include <pthread.h>

#include "support/ordinary_user.h"
#include "support/processes.h"
#include "support/user_of_threads.h"

int main(void) {
  allocate_volume(64);
  pthread_t threads[3];
  for (uintptr_t t = 0; t < 3; ++t)
    EXPECT(pthread_create(&threads[t], NULL, churn_thread, (void*)t) == 0);
  become_ordinary_user();
  check_all_threads(kNobody);
  allocate_volume(64);
  churn_stop = 1;
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], NULL);
  return 0;
}
