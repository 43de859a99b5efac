// No option from the environment counts in secure mode, and nothing is written to a path that the
// caller names. Secure mode is AT_SECURE: real and effective user differ, as in a set-user-id
// program. The preload itself is ignored there, so this program is linked with the library.
// @only mmt
// @root
// @linked

#include <sys/auxv.h>

#include "support/ordinary_user.h"
#include "support/processes.h"

int main(int argc, char** argv) {
  if (argc > 1) {
    EXPECT(getauxval(AT_SECURE) != 0);
    allocate_volume(16);
    return 0;
  }
  pid_t pid = fork();
  EXPECT(pid >= 0);
  if (pid == 0) {
    setenv("MMT_OPTIONS", "nonsense=1:stats=written", 1);
    setenv("MMT_STATS", "written", 1);
    unsetenv("PRELOAD_PROOF_LIB");
    EXPECT(freopen("errors", "w", stderr) != NULL);
    EXPECT(setresuid(kNobody, 0, 0) == 0);
    execl("/proc/self/exe", argv[0], "secure", (char*)NULL);
    _exit(98);
  }
  expect_success(pid);
  char text[256];
  EXPECT(read_small_file("errors", text, sizeof text) == 0, "%s", text);
  EXPECT(access("written", F_OK) != 0);
  return 0;
}
