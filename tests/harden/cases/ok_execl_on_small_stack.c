// execl takes no more of a small stack than its arguments need.
// sizes: small
// expect: ok
#include <limits.h>
#include <sys/wait.h>

#include "harden/case.h"

static int wait_for(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

static void* run(void* failed) {
  volatile char used[5000];
  memset((char*)used, 1, sizeof used);
  pid_t child = vfork();
  if (child == 0) {
    execl("/bin/true", "true", (char*)NULL);
    _exit(1);
  }
  *(int*)failed |= wait_for(child);
  child = vfork();
  if (child == 0) {
    char* variables[] = {"A=b", NULL};
    execle("/bin/sh", "sh", "-c", "test $A$0 = bc", "c", (char*)NULL, variables);
    _exit(1);
  }
  *(int*)failed |= wait_for(child);
  return NULL;
}

int main(void) {
  int failed = 0;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
  pthread_t thread;
  pthread_create(&thread, &small, run, &failed);
  pthread_join(thread, NULL);
  return end_if(failed == 0);
}
