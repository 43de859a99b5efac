// A cgroup of the test's own, for tests of quotas, below the one that this process is in or below
// an ancestor of that. Works for v1 hierarchies under /sys/fs/cgroup/CONTROLLER and for v2; needs
// write access there.
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

// Makes a group in `folder` that has the controller's `file`, and writes its folder to `group`.
__attribute__((unused)) static bool cgroup_make_in(const char* folder, const char* file,
                                                   char* group, size_t size) {
  snprintf(group, size, "%s/mmt-test-%d", folder, (int)getpid());
  if (mkdir(group, 0755) != 0) return false;
  char path[1024];
  struct stat status;
  snprintf(path, sizeof path, "%s/%s", group, file);
  if (stat(path, &status) == 0) return true;
  rmdir(group);
  return false;
}

// The function does the same, as near below our own group as can be. In v2 a group with processes
// passes no controllers on, as a rule. The new group is then below one of its ancestors, or below
// the root, which is made to pass them on.
__attribute__((unused)) static bool cgroup_make_v2(const char* root, const char* controller,
                                                   const char* file, char* group, size_t size) {
  char text[4096], folder[1024], wish[32];
  const char* own = cgroup_own_path("", text, sizeof text);
  if (own == NULL) return false;
  snprintf(folder, sizeof folder, "%s%s", root, strcmp(own, "/") == 0 ? "" : own);
  for (;;) {
    if (cgroup_make_in(folder, file, group, size)) return true;
    if (strlen(folder) <= strlen(root)) break;
    *strrchr(folder, '/') = 0;
  }
  snprintf(wish, sizeof wish, "+%s", controller);
  return cgroup_write(root, "cgroup.subtree_control", wish) &&
         cgroup_make_in(root, file, group, size);
}

// Makes a group for `controller` ("cpu", "memory", "pids") and writes its folder to `group`.
__attribute__((unused)) static bool cgroup_make(const char* controller, char* group, size_t size) {
  const bool cpu = strcmp(controller, "cpu") == 0;
  const bool pids = strcmp(controller, "pids") == 0;
  const char* file = cpu ? "cpu.max" : pids ? "pids.max" : "memory.max";
  char text[4096], folder[1024];
  const char* own = cgroup_own_path(controller, text, sizeof text);
  if (own != NULL) {
    snprintf(folder, sizeof folder, "/sys/fs/cgroup/%s%s", controller,
             strcmp(own, "/") == 0 ? "" : own);
    const char* const first = cpu    ? "cpu.cfs_quota_us"
                              : pids ? "pids.max"
                                     : "memory.limit_in_bytes";
    if (cgroup_make_in(folder, first, group, size)) return true;
  }
  return cgroup_make_v2("/sys/fs/cgroup", controller, file, group, size) ||
         cgroup_make_v2("/sys/fs/cgroup/unified", controller, file, group, size);
}

__attribute__((unused)) static void cgroup_join(const char* group) {
  char pid[32];
  snprintf(pid, sizeof pid, "%d", (int)getpid());
  EXPECT(cgroup_write(group, "cgroup.procs", pid), "%s", group);
}

__attribute__((unused)) static void cgroup_remove(const char* group) {
  for (int i = 0; i < 100 && rmdir(group) != 0 && errno == EBUSY; ++i) usleep(10000);
}
