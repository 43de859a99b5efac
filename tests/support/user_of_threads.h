// The user and group of every thread that the kernel counts to this process.
#pragma once

#include <dirent.h>

#include "support/expect.h"
#include "support/processes.h"

static void check_all_threads(unsigned id) {
  DIR* tasks = opendir("/proc/self/task");
  int seen = 0;
  for (struct dirent* entry; (entry = readdir(tasks)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    char path[300];
    char text[4096];
    char wanted[64];
    snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
    EXPECT(read_small_file(path, text, sizeof text) > 0);
    snprintf(wanted, sizeof wanted, "Uid:\t%u\t%u\t%u\t%u\n", id, id, id, id);
    EXPECT(strstr(text, wanted) != NULL, "thread %s: %.40s", entry->d_name, strstr(text, "Uid:"));
    snprintf(wanted, sizeof wanted, "Gid:\t%u\t%u\t%u\t%u\n", id, id, id, id);
    EXPECT(strstr(text, wanted) != NULL, "thread %s: %.40s", entry->d_name, strstr(text, "Gid:"));
    ++seen;
  }
  closedir(tasks);
  EXPECT(seen >= 4);
}
