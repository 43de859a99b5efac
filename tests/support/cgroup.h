// A child cgroup of the one this process is in, for tests of quotas. Works for v1 hierarchies under
// /sys/fs/cgroup/CONTROLLER and for v2; needs write access there.
#pragma once

#include <sys/stat.h>

#include "support/memory.h"

__attribute__((unused)) static bool cgroup_write(const char* group, const char* file,
                                                 const char* value) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", group, file);
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool fine = write(fd, value, strlen(value)) == (ssize_t)strlen(value);
  close(fd);
  return fine;
}

// The path of this process in the hierarchy of `controller` ("" for v2); NULL when it has none.
__attribute__((unused)) static const char* cgroup_own_path(const char* controller, char* text,
                                                           size_t size) {
  if (read_small_file("/proc/self/cgroup", text, size) <= 0) return NULL;
  for (char* line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    char* names = strchr(line, ':') + 1;
    char* path = strchr(names, ':');
    *path++ = 0;
    char* save = NULL;
    if (*names == 0 && *controller == 0) return path;
    for (char* name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save))
      if (strcmp(name, controller) == 0) return path;
  }
  return NULL;
}

// Makes a group below our own for `controller` and writes its folder to `group`.
__attribute__((unused)) static bool cgroup_make(const char* controller, char* group, size_t size) {
  static const char* const kRoots[] = {"/sys/fs/cgroup/%s%s/mmt-test-%d",
                                       "/sys/fs/cgroup%s%s/mmt-test-%d",
                                       "/sys/fs/cgroup/unified%s%s/mmt-test-%d"};
  char text[4096];
  for (int i = 0; i < 3; ++i) {
    const char* own = cgroup_own_path(i == 0 ? controller : "", text, sizeof text);
    if (own == NULL) continue;
    if (strcmp(own, "/") == 0) own = "";
    snprintf(group, size, kRoots[i], i == 0 ? controller : "", own, (int)getpid());
    if (mkdir(group, 0755) != 0) continue;
    char file[1024];
    struct stat status;
    const char* needed = strcmp(controller, "cpu") == 0
                             ? (i == 0 ? "cpu.cfs_quota_us" : "cpu.max")
                             : (i == 0 ? "memory.limit_in_bytes" : "memory.max");
    snprintf(file, sizeof file, "%s/%s", group, needed);
    if (stat(file, &status) == 0) return true;
    rmdir(group);
  }
  return false;
}

__attribute__((unused)) static void cgroup_join(const char* group) {
  char pid[32];
  snprintf(pid, sizeof pid, "%d", (int)getpid());
  EXPECT(cgroup_write(group, "cgroup.procs", pid), "%s", group);
}

__attribute__((unused)) static void cgroup_remove(const char* group) {
  for (int i = 0; i < 100 && rmdir(group) != 0 && errno == EBUSY; ++i) usleep(10000);
}
