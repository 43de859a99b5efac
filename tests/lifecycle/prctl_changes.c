// prctl settings that programs make while they run: none stops the library.

#include <sys/prctl.h>

#include "support/ordinary_user.h"
#include "support/processes.h"

static void child(void* arg) {
  (void)arg;
  allocate_volume(32);
}

int main(void) {
  allocate_volume(32);
  EXPECT(prctl(PR_SET_DUMPABLE, 0) == 0);
  allocate_volume(32);
  EXPECT(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0);
  allocate_volume(32);
  EXPECT(prctl(PR_SET_TIMERSLACK, 1000000000ul) == 0);
  allocate_volume(32);
  EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  EXPECT(prctl(PR_SET_NAME, "renamed") == 0);
  become_ordinary_user();
  EXPECT(prctl(PR_SET_DUMPABLE, 0) == 0);
  expect_success(fork_child(child, NULL));
  allocate_volume(128);
  return 0;
}
