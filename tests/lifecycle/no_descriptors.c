// RLIMIT_NOFILE of 0: nothing can be opened any more.

#include <pthread.h>
#include <sys/resource.h>

#include "support/processes.h"

static void* work(void* arg) {
  allocate_volume(32);
  return arg;
}

int main(int argc, char** argv) {
  struct rlimit none = {0, 0};
  (void)argv;
  if (argc == 1) expect_success(start_self("from the start"));
  EXPECT(setrlimit(RLIMIT_NOFILE, &none) == 0);
  EXPECT(open("/dev/null", O_RDONLY) == -1 && errno == EMFILE);
  allocate_volume(128);
  pthread_t t;
  EXPECT(pthread_create(&t, NULL, work, NULL) == 0);
  pthread_join(t, NULL);
  pid_t pid = fork();
  if (pid == 0) work(NULL), _exit(0);
  expect_success(pid);
  return 0;
}
