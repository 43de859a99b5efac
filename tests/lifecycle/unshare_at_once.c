// A program can make a name space as soon as its heap has its memory thread, again and again. The
// kernel counts a thread for a moment after it has ended, which must not be the reason for a
// refusal.

#include <sched.h>

#include "support/ordinary_user.h"
#include "support/processes.h"

enum { kTimes = 300 };

static void child(void* arg) {
  const int flags = *(const int*)arg;
  allocate_volume(3);
  // Some systems refuse name spaces to ordinary users; EINVAL alone means "you have threads".
  EXPECT(unshare(flags) == 0 || errno != EINVAL);
  allocate_volume(1);
}

int main(void) {
  const int kinds[] = {CLONE_NEWUSER, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD};
  become_ordinary_user();
  for (int i = 0; i < kTimes; ++i) expect_success(fork_child(child, (void*)&kinds[i % 2]));
  return 0;
}
