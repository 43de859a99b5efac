// mlockall keeps what is mapped resident: it must not turn reserved address space into memory.

#include <sys/mman.h>

#include "support/processes.h"

int main(void) {
  pid_t pid = fork();
  if (pid == 0) {
    allocate_volume(8);
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) EXPECT(errno == EPERM || errno == ENOMEM);
    allocate_volume(64);
    void* p = malloc(30 << 20);
    memset(p, 1, 30 << 20);
    free(p);
    EXPECT(resident_bytes() < (size_t)700 << 20, "%zu", resident_bytes());
    _exit(0);
  }
  EXPECT(pid > 0);
  // A watchdog, lest a failure take the machine's memory.
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
  for (int i = 0; i < 3000; ++i) {
    char text[256];
    int status;
    if (waitpid(pid, &status, WNOHANG) == pid) {
      EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%#x", (unsigned)status);
      return 0;
    }
    size_t total = 0, resident = 0;
    if (read_small_file(path, text, sizeof text) > 0) sscanf(text, "%zu %zu", &total, &resident);
    if (resident > ((size_t)1 << 30) / 4096) kill(pid, SIGKILL);
    usleep(5000);
  }
  kill(pid, SIGKILL);
  EXPECT(false, "hangs");
}
