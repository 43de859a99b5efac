// posix_spawn, system and popen from a threaded, allocating program; the children are preloaded too
// and give the right answers.

#include <pthread.h>
#include <spawn.h>

#include "support/processes.h"

extern char** environ;

int main(void) {
  pthread_t threads[3];
  for (uintptr_t t = 0; t < 3; ++t)
    EXPECT(pthread_create(&threads[t], NULL, churn_thread, (void*)t) == 0);
  allocate_volume(32);
  for (int i = 0; i < 40; ++i) {
    pid_t pid;
    char* const arguments[] = {"sh", "-c", "exit 7", NULL};
    EXPECT(posix_spawn(&pid, "/bin/sh", NULL, NULL, arguments, environ) == 0);
    int status = wait_status(pid, 20);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7, "%#x", (unsigned)status);
    status = system("test \"$(echo a b c | wc -w)\" -eq 3");
    EXPECT(status == 0, "%#x", (unsigned)status);
    FILE* f = popen("seq 1 20000", "r");
    char* line = NULL;
    size_t capacity = 0;
    long sum = 0;
    while (getline(&line, &capacity, f) > 0) sum += atol(line);
    free(line);
    EXPECT(pclose(f) == 0 && sum == 200010000, "%ld", sum);
  }
  churn_stop = 1;
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], NULL);
  return 0;
}
