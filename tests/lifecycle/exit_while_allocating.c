// The process ends, in every way there is, while eight threads allocate: status right, no hang.
// @timeout 120

#include <pthread.h>

#include "support/processes.h"

static void at_exit(void) {
  for (size_t i = 0; i < 500; ++i) free(malloc(i * 10));
}

static int role(const char* name) {
  atexit(at_exit);
  at_quick_exit(at_exit);
  for (uintptr_t t = 0; t < 8; ++t) {
    pthread_t ignored;
    EXPECT(pthread_create(&ignored, NULL, churn_thread, (void*)t) == 0);
  }
  allocate_volume(8);
  if (strcmp(name, "exit") == 0) exit(11);
  if (strcmp(name, "_exit") == 0) _exit(11);
  if (strcmp(name, "quick_exit") == 0) quick_exit(11);
  if (strcmp(name, "abort") == 0) abort();
  if (strcmp(name, "kill") == 0) kill(getpid(), SIGTERM);
  if (strcmp(name, "kill") == 0) pause();
  return 11;
}

int main(int argc, char** argv) {
  static const char* const kRoles[] = {"exit", "_exit", "quick_exit", "return", "abort", "kill"};
  if (argc > 1) return role(argv[1]);
  for (int i = 0; i < 120; ++i) {
    const char* name = kRoles[i % 6];
    int status = wait_status(start_self(name), 20);
    if (strcmp(name, "abort") == 0)
      EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s %#x", name, (unsigned)status);
    else if (strcmp(name, "kill") == 0)
      EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "%s %#x", name, (unsigned)status);
    else
      EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 11, "%s %#x", name, (unsigned)status);
  }
  return 0;
}
