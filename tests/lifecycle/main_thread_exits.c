// main calls pthread_exit while other threads go on. The process ends with status 0 when the last
// of the program's own threads has ended, whatever threads the library has.
// @stdout ^last\nat exit\n\Z

#include <pthread.h>

#include "support/processes.h"

static void at_exit(void) { (void)!write(1, "at exit\n", 8); }

static void* last(void* arg) {
  for (int i = 0; i < 20; ++i) allocate_volume(4), usleep(10000);
  (void)!write(1, "last\n", 5);
  return arg;
}

int main(void) {
  atexit(at_exit);
  allocate_volume(32);
  pthread_t t;
  EXPECT(pthread_create(&t, NULL, last, NULL) == 0);
  EXPECT(pthread_create(&t, NULL, churn_thread, NULL) == 0);
  usleep(10000);
  churn_stop = 1;
  pthread_exit(NULL);
}
