// RLIMIT_STACK unlimited turns the kernel's address space layout around (bottom-up), as do
// personality flags without randomisation; the heap works in each.
// @needs personality

#include <sys/personality.h>
#include <sys/resource.h>

#include "support/processes.h"

static void start(const char* role, unsigned long flags, rlim_t stack) {
  pid_t pid = fork();
  EXPECT(pid >= 0);
  if (pid == 0) {
    struct rlimit limit = {stack, RLIM_INFINITY};
    EXPECT(setrlimit(RLIMIT_STACK, &limit) == 0 || errno == EPERM);
    EXPECT(personality(flags) != -1);
    execl("/proc/self/exe", "self", role, (char*)NULL);
    _exit(98);
  }
  expect_success(pid);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) {
    allocate_volume(128);
    void* p[40];
    for (int i = 0; i < 40; ++i) memset(p[i] = malloc(20 << 20), 1, 20 << 20);
    for (int i = 0; i < 40; ++i) free(p[i]);
    return 0;
  }
  start("unlimited stack", 0, RLIM_INFINITY);
  start("compatible layout", ADDR_COMPAT_LAYOUT, 8 << 20);
  start("no randomisation", ADDR_NO_RANDOMIZE, 8 << 20);
  start("read implies exec", READ_IMPLIES_EXEC, 8 << 20);
  return 0;
}
