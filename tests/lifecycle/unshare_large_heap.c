// A program of one thread stays one for the kernel, also with a large heap. The program may make
// name spaces and join them, and allocates afterwards.

#include <fcntl.h>
#include <sched.h>

#include "support/ordinary_user.h"
#include "support/processes.h"

static void child(void* arg) {
  const int flags = *(const int*)arg;
  allocate_volume(64);
  become_ordinary_user();
  // Some systems refuse name spaces to ordinary users; EINVAL alone means "you have threads".
  EXPECT(unshare(flags) == 0 || errno != EINVAL);
  allocate_volume(64);
}

static void joiner(void* arg) {
  (void)arg;
  allocate_volume(64);
  const int own = open("/proc/self/ns/mnt", O_RDONLY);
  EXPECT(own >= 0);
  // To join one's own takes rights, and one thread.
  EXPECT(setns(own, CLONE_NEWNS) == 0 || errno != EINVAL);
  allocate_volume(64);
}

int main(void) {
  allocate_volume(64);
  const int kinds[] = {CLONE_NEWUSER, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD,
                       CLONE_NEWUSER | CLONE_NEWPID};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    expect_success(fork_child(child, (void*)&kinds[i]));
  expect_success(fork_child(joiner, NULL));
  return 0;
}
