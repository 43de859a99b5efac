// The library makes no call that is made only to look at rights or to give some up. A seccomp
// filter, under which the program was started, kills at such calls. Changes of rights end the
// memory thread.
// @root

#include <pthread.h>

#include "support/ordinary_user.h"
#include "support/rights.h"
#include "support/seccomp.h"

static void confine_for_good(void) {
  static const int calls[] = {
      SYS_capset,    SYS_capget,    SYS_geteuid,   SYS_getegid,
      SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_landlock_create_ruleset};
  struct call_filter filter;
  make_filter(&filter, calls, sizeof calls / sizeof calls[0], SECCOMP_RET_KILL_PROCESS,
              SECCOMP_RET_ALLOW);
  EXPECT(call_unseen(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&filter.whole) == 0);
}

static struct program_threads program;

static void expect_no_more(const char* after) {
  for (int i = 0; i < 3; ++i) {
    const char* more = excess_beside(&program);
    EXPECT(more == NULL, "%s after %s", more, after);
    allocate_volume(8);
  }
}

static void confined(void) {
  program.ids[0] = getpid();
  program.count = 1;
  allocate_volume(32);
  usleep(50000);
  EXPECT(prctl(PR_CAPBSET_DROP, CAP_SYS_MODULE, 0, 0, 0) == 0);
  expect_no_more("a smaller bounding set");
  EXPECT(nice(1) == 1);
  expect_no_more("a higher niceness");
  EXPECT(syscall(SYS_setresgid, kNobody, kNobody, kNobody) == 0);
  expect_no_more("another group");
  EXPECT(setgid(0) == 0 && setresuid(kNobody, kNobody, kNobody) == 0);
  expect_no_more("another user");
  usleep(50000);
  allocate_volume(32);
}

int main(int count, char** arguments) {
  (void)arguments;
  if (count > 1) {
    confined();
    return 0;
  }
  confine_for_good();
  expect_success(start_self("confined"));
  return 0;
}
