// setuid and setgid change every thread of the process, the library's included: none keeps root's
// rights, and the call does not hang.
// @root

#include <dirent.h>
#include <pthread.h>

#include "support/ordinary_user.h"
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

int main(void) {
  allocate_volume(64);
  pthread_t threads[3];
  for (uintptr_t t = 0; t < 3; ++t)
    EXPECT(pthread_create(&threads[t], NULL, churn_thread, (void*)t) == 0);
  become_ordinary_user();
  check_all_threads(kNobody);
  allocate_volume(64);
  churn_stop = 1;
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], NULL);
  return 0;
}
