// seccomp forbids clone and clone3 to an ordinary user: the library serves every call on the
// program's own thread, and says so in one line.
// @stderr[mmt] ^mmt: .*thread
// @stderr-not[mmt] (?s)\n.*\n
// @memory-thread

#include "support/ordinary_user.h"
#include "support/processes.h"
#include "support/seccomp.h"

int main(void) {
  static const int kCalls[] = {SYS_clone, SYS_clone3};
  become_ordinary_user();
  forbid_calls(kCalls, 2, EPERM);
  EXPECT(fork() == -1 && errno == EPERM);
  allocate_volume(256);
  EXPECT(thread_count() == 1);
  return 0;
}
