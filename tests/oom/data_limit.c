// RLIMIT_DATA counts every private writable mapping: at each value the program runs, gets NULL and
// ENOMEM at the limit, and goes on.
// @timeout 120

#include <sys/resource.h>

#include "support/processes.h"

static void live(size_t bytes) {
  for (int turn = 0; turn < 2; ++turn) {
    for (size_t size = 200; size < (20 << 20); size *= 16) {
      void** chain = NULL;
      size_t got = 0;
      for (;;) {
        errno = 0;
        void** block = malloc(size);
        if (block == NULL) break;
        *block = chain;
        chain = block;
        got += size;
        EXPECT(got <= bytes + (64 << 20), "more than the limit");
      }
      EXPECT(errno == ENOMEM);
      while (chain != NULL) {
        void** next = *chain;
        free(chain);
        chain = next;
      }
      if (bytes >= (256 << 20))
        EXPECT(got >= bytes / 5 * 2, "limit %zu size %zu got %zu", bytes, size, got);
    }
  }
}

int main(int argc, char** argv) {
  if (argc > 1) {
    live(strtoul(argv[1], NULL, 10));
    return 0;
  }
  for (size_t megabytes = 2; megabytes <= 1024; megabytes *= 2) {
    pid_t pid = fork();
    if (pid == 0) {
      struct rlimit limit = {megabytes << 20, megabytes << 20};
      char text[32];
      snprintf(text, sizeof text, "%zu", megabytes << 20);
      EXPECT(setrlimit(RLIMIT_DATA, &limit) == 0);
      execl("/proc/self/exe", argv[0], text, (char*)NULL);
      _exit(98);
    }
    int status = wait_status(pid, 60);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "limit %zu MiB: %#x", megabytes,
           (unsigned)status);
  }
  return 0;
}
