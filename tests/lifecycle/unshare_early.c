// A program that makes name spaces must be single-threaded then. A small program is single-threaded
// under the library too, at its start and in a child of fork.

#include <sched.h>

#include "support/ordinary_user.h"
#include "support/processes.h"

static void child(void* arg) {
  (void)arg;
  for (size_t i = 0; i < 1000; ++i) free(malloc(i));
  become_ordinary_user();
  // Some systems refuse user name spaces to ordinary users; EINVAL alone means "you have threads".
  EXPECT(unshare(CLONE_NEWUSER) == 0 || errno != EINVAL);
  allocate_volume(64);
}

int main(void) {
  for (size_t i = 0; i < 1000; ++i) free(malloc(i));
  expect_success(fork_child(child, NULL));
  allocate_volume(64);
  expect_success(fork_child(child, NULL));
  return 0;
}
