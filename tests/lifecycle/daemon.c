// A daemon: double fork, new session, streams to /dev/null, parents gone; it allocates with threads
// and answers through a file.

#include <pthread.h>

#include "support/processes.h"

int main(void) {
  allocate_volume(32);
  void* kept = malloc(50000);
  fill_pattern(kept, 50000, 6);
  pid_t first = fork();
  if (first == 0) {
    EXPECT(setsid() > 0);
    if (fork() != 0) _exit(0);
    EXPECT(daemon(1, 0) == 0);
    pthread_t t;
    EXPECT(pthread_create(&t, NULL, churn_thread, NULL) == 0);
    allocate_volume(64);
    check_pattern(kept, 50000, 6);
    free(kept);
    churn_stop = 1;
    pthread_join(t, NULL);
    int fd = open("answer.part", O_WRONLY | O_CREAT, 0644);
    EXPECT(write(fd, "done", 4) == 4);
    close(fd);
    rename("answer.part", "answer");
    exit(0);
  }
  expect_success(first);
  double end = seconds_now() + 30;
  while (access("answer", F_OK) != 0) {
    EXPECT(seconds_now() < end, "the daemon did not answer");
    usleep(5000);
  }
  return 0;
}
