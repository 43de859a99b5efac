// The parent ends, by exit and by a signal, while its child goes on allocating for a while.
// @timeout[protocol] 280

#include "support/processes.h"

static void outlive(int by_signal) {
  int done[2];
  EXPECT(pipe(done) == 0);
  pid_t parent = fork();
  EXPECT(parent >= 0);
  if (parent == 0) {
    close(done[0]);
    void* mine = malloc(70000);
    fill_pattern(mine, 70000, 4);
    allocate_volume(16);
    if (fork() == 0) {
      usleep(20000);  // by now the parent is gone
      for (int i = 0; i < 20; ++i) allocate_volume(4), usleep(5000);
      check_pattern(mine, 70000, 4);
      free(mine);
      (void)!write(done[1], "k", 1);
      exit(0);
    }
    if (by_signal) kill(getpid(), SIGKILL);
    exit(0);
  }
  close(done[1]);
  int status = wait_status(parent, 20);
  EXPECT(by_signal ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 0);
  char answer = 0;
  alarm(30);
  EXPECT(read(done[0], &answer, 1) == 1 && answer == 'k');
  EXPECT(read(done[0], &answer, 1) == 0);  // it has ended, too
  close(done[0]);
}

int main(void) {
  for (int i = 0; i < 6; ++i) outlive(i % 2);
  return 0;
}
