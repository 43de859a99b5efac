// The memory thread only keeps house under a cgroup quota below two CPUs, as its work would eat the
// program's own time. The memory thread works with a quota of two or more (where two CPUs are
// usable).
// @memory-thread
// @root

#include <sched.h>

#include "support/cgroup.h"
#include "support/processes.h"

static void set_quota(const char* group, const char* quota) {
  char both[64];
  snprintf(both, sizeof both, "%s 100000", quota);
  EXPECT(cgroup_write(group, "cpu.max", both) || cgroup_write(group, "cpu.cfs_quota_us", quota),
         "%s", group);
}

// What the library's statistics at exit say of the memory thread.
static void expect_state(const char* role, const char* file) {
  char text[8192];
  EXPECT(read_small_file(file, text, sizeof text) > 0, "%s", file);
  cpu_set_t set;
  EXPECT(sched_getaffinity(0, sizeof set, &set) == 0);
  bool works = strcmp(role, "wide") == 0 && CPU_COUNT(&set) >= 2;
  EXPECT(strstr(text, works ? "\"server_state\": 2," : "\"server_state\": 5,") != NULL, "%s: %s",
         role, text);
}

static void start_member(const char* group, const char* role) {
  char file[64];
  snprintf(file, sizeof file, "/tmp/mmt-cpu-quota-%d.json", (int)getpid());
  pid_t pid = fork();
  EXPECT(pid >= 0);
  if (pid == 0) {
    cgroup_join(group);
    setenv("MMT_STATS", file, 1);
    execl("/proc/self/exe", "self", role, (char*)NULL);
    _exit(98);
  }
  int status = wait_status(pid, 60);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) cgroup_remove(group);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: %#x", role, (unsigned)status);
  if (!under_mmt()) return;
  expect_state(role, file);
  unlink(file);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) {
    allocate_volume(64);
    void* p = malloc(64 << 20);
    memset(p, 1, 64 << 20);
    EXPECT(thread_count() == (under_mmt() ? 2 : 1), "%zu threads", thread_count());
    return 0;
  }
  char group[512];
  if (!cgroup_make("cpu", group, sizeof group)) {
    fputs("no control group can be made\n", stderr);
    return 77;
  }
  set_quota(group, "100000");
  start_member(group, "one CPU");
  set_quota(group, "190000");
  start_member(group, "not two CPUs");
  set_quota(group, "200000");
  start_member(group, "wide");
  cgroup_remove(group);
  return 0;
}
