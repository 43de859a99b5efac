// fork from a thread that is not main; the child's only thread is that one, and it may create
// others, fork again, and exit normally.
// @timeout[protocol] 280

#include <pthread.h>

#include "support/processes.h"

static void* in_thread(void* arg) {
  void* block = malloc(5000);
  fill_pattern(block, 5000, 3);
  for (int i = 0; i < 30; ++i) {
    pid_t pid = fork();
    EXPECT(pid >= 0);
    if (pid == 0) {
      check_pattern(block, 5000, 3);
      free(block);
      pthread_t t;
      EXPECT(pthread_create(&t, NULL, churn_thread, (void*)7) == 0);
      allocate_volume(4);
      churn_stop = 1;
      pthread_join(t, NULL);
      exit(0);
    }
    expect_success(pid);
  }
  free(block);
  return arg;
}

int main(void) {
  allocate_volume(32);
  for (int i = 0; i < 5; ++i) {
    pthread_t t;
    EXPECT(pthread_create(&t, NULL, in_thread, NULL) == 0);
    pthread_join(t, NULL);
  }
  return 0;
}
