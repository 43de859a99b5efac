// The same with quiet=on, from the program's first instruction: not a word.
// @env MMT_OPTIONS=quiet=on
// @stderr-not .

#include "support/processes.h"
#include "support/seccomp.h"

int main(int argc, char** argv) {
  static const int kCalls[] = {SYS_clone, SYS_clone3};
  if (argc == 1) {
    forbid_calls(kCalls, 2, EPERM);
    execl("/proc/self/exe", argv[0], "limited", (char*)NULL);
  }
  allocate_volume(256);
  EXPECT(thread_count() == 1);
  return 0;
}
