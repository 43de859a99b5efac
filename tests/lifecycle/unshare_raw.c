// A program of one thread makes and joins name spaces by libc's syscall(), with a large heap.
// @only mmt

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/syscall.h>

#include "support/ordinary_user.h"
#include "support/processes.h"

static void makes(void* arg) {
  const long flags = *(const long*)arg;
  allocate_volume(32);
  become_ordinary_user();
  // Some systems refuse name spaces to ordinary users; EINVAL alone means "you have threads".
  EXPECT(syscall(SYS_unshare, flags) == 0 || errno != EINVAL);
  allocate_volume(32);
}

static void joins(void* arg) {
  (void)arg;
  allocate_volume(32);
  const int own = open("/proc/self/ns/mnt", O_RDONLY);
  EXPECT(own >= 0);
  // To join one's own takes rights, and one thread.
  EXPECT(syscall(SYS_setns, own, CLONE_NEWNS) == 0 || errno != EINVAL);
  allocate_volume(32);
}

// What is closed in the caller's table is closed: a reader finds the end.
static void closes(void* arg) {
  (void)arg;
  allocate_volume(32);
  int ends[2];
  char byte;
  EXPECT(pipe(ends) == 0);
  if (syscall(SYS_close_range, ends[1], ends[1], CLOSE_RANGE_UNSHARE) != 0) return;
  EXPECT(read(ends[0], &byte, 1) == 0);
}

int main(void) {
  allocate_volume(32);
  long kinds[] = {CLONE_NEWUSER, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD,
                  CLONE_NEWUSER | CLONE_NEWPID};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    expect_success(fork_child(makes, &kinds[i]));
  expect_success(fork_child(joins, NULL));
  expect_success(fork_child(closes, NULL));
  return 0;
}
