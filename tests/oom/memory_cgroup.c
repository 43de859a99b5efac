// A program that keeps well below the limit of its memory cgroup lives, so speculation of the
// library is bounded. The kernel kills what goes over the limit. The cgroup is made in the
// hierarchy this process is in, v1 or v2.
// @timeout 90
// @root

#include <sys/stat.h>

#include "support/cgroup.h"
#include "support/processes.h"

static void member(void* arg) {
  const char* group = arg;
  cgroup_join(group);
  // 150 MiB live in a group of 256, in rounds of different sizes.
  for (int round = 0; round < 4; ++round) {
    size_t size = (size_t)50 << (3 * round);
    size_t count = ((size_t)150 << 20) / size;
    char** blocks = malloc(count * sizeof *blocks);
    if (size < 100) count = count * 2 / 3;
    for (size_t i = 0; i < count; ++i) memset(blocks[i] = malloc(size), 1, size);
    for (size_t i = 0; i < count; ++i) free(blocks[i]);
    free(blocks);
    usleep(300000);
  }
}

int main(void) {
  char group[512];
  if (!cgroup_make("memory", group, sizeof group)) {
    fputs("no control group can be made\n", stderr);
    return 77;
  }
  EXPECT(cgroup_write(group, "memory.limit_in_bytes", "268435456") ||
         cgroup_write(group, "memory.max", "268435456"));
  pid_t pid = fork_child(member, group);
  int status = wait_status(pid, 60);
  cgroup_remove(group);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%#x", (unsigned)status);
  return 0;
}
