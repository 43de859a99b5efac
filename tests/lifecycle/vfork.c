// vfork: the child shares our memory and stack until it ends or executes another program.

#include <pthread.h>

#include "support/processes.h"

int main(void) {
  pthread_t threads[3];
  for (uintptr_t t = 0; t < 3; ++t)
    EXPECT(pthread_create(&threads[t], NULL, churn_thread, (void*)t) == 0);
  allocate_volume(32);
  for (int i = 0; i < 200; ++i) {
    void* block = malloc(200);
    fill_pattern(block, 200, (uint64_t)i);
    pid_t pid = vfork();
    if (pid == 0) {
      if (i % 2) execl("/bin/true", "true", (char*)NULL);
      _exit(i % 2 ? 9 : 0);
    }
    free(malloc(1000));
    expect_success(pid);
    check_pattern(block, 200, (uint64_t)i);
    free(block);
  }
  // Shells and libraries allocate in the child of vfork although nobody promises that it works. The
  // block belongs to the parent then, which shares the heap.
  for (int i = 0; i < 200; ++i) {
    void* volatile block = NULL;
    pid_t pid = vfork();
    if (pid == 0) {
      block = malloc(300);
      memset(block, 5, 300);
      free(malloc(5000));
      _exit(0);
    }
    expect_success(pid);
    EXPECT(((char*)block)[299] == 5);
    free(block);
  }
  churn_stop = 1;
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], NULL);
  return 0;
}
