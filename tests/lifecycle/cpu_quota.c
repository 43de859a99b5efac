// A cgroup quota below two CPUs: a memory thread would eat the program's own time, so there is
// none; with a quota of two or more, or none, there is (where two CPUs are usable).

#include <sched.h>

#include "support/cgroup.h"
#include "support/processes.h"

static void set_quota(const char* group, const char* quota) {
  char both[64];
  snprintf(both, sizeof both, "%s 100000", quota);
  EXPECT(cgroup_write(group, "cpu.max", both) || cgroup_write(group, "cpu.cfs_quota_us", quota),
         "%s", group);
}

static void start_member(const char* group, const char* role) {
  pid_t pid = fork();
  EXPECT(pid >= 0);
  if (pid == 0) {
    cgroup_join(group);
    execl("/proc/self/exe", "self", role, (char*)NULL);
    _exit(98);
  }
  int status = wait_status(pid, 60);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) cgroup_remove(group);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: %#x", role, (unsigned)status);
}

int main(int argc, char** argv) {
  cpu_set_t set;
  EXPECT(sched_getaffinity(0, sizeof set, &set) == 0);
  if (argc > 1) {
    allocate_volume(64);
    void* p = malloc(64 << 20);
    memset(p, 1, 64 << 20);
    bool wanted = under_mmt() && strcmp(argv[1], "wide") == 0 && CPU_COUNT(&set) >= 2;
    EXPECT(thread_count() == (wanted ? 2 : 1), "%s: %zu threads", argv[1], thread_count());
    return 0;
  }
  char group[512];
  EXPECT(cgroup_make("cpu", group, sizeof group), "no cpu cgroup can be made here");
  set_quota(group, "100000");
  start_member(group, "one CPU");
  set_quota(group, "190000");
  start_member(group, "not two CPUs");
  set_quota(group, "200000");
  start_member(group, "wide");
  cgroup_remove(group);
  return 0;
}
