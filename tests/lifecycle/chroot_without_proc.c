// In an empty chroot there is no /proc, no /sys and no library to load.

#include <pthread.h>
#include <sys/stat.h>

#include "support/ordinary_user.h"
#include "support/processes.h"

static void* work(void* arg) {
  allocate_volume(64);
  return arg;
}

int main(void) {
  if (getuid() == 0) {
    EXPECT(mkdir("empty", 0755) == 0 && chroot("empty") == 0 && chdir("/") == 0);
    EXPECT(access("/proc", F_OK) == -1);
    become_ordinary_user();
  }
  allocate_volume(128);
  pthread_t t;
  EXPECT(pthread_create(&t, NULL, work, NULL) == 0);
  pthread_join(t, NULL);
  pid_t pid = fork();
  if (pid == 0) work(NULL), _exit(0);
  expect_success(pid);
  return 0;
}
