// With follow=off the programs started from here run without the library; other preloads stay.
// @only mmt
// @env MMT_OPTIONS=follow=off
// @env LD_PRELOAD={lib}:libm.so.6

#include <dlfcn.h>

#include "support/processes.h"

static bool maps_have(const char* name) {
  static char text[1 << 16];
  EXPECT(read_small_file("/proc/self/maps", text, sizeof text) > 0);
  return strstr(text, name) != NULL;
}

int main(int argc, char** argv) {
  allocate_volume(4);
  if (argc > 1) {
    EXPECT(!maps_have("libmmt"), "%s", argv[1]);
    EXPECT(maps_have("libm.so"), "%s", argv[1]);
    return 0;
  }
  EXPECT(maps_have("libmmt") && maps_have("libm.so"));
  unsetenv("PRELOAD_PROOF_LIB");
  expect_success(start_self("exec"));
  char command[4200];
  char path[4096] = {0};
  EXPECT(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
  snprintf(command, sizeof command, "%s shell", path);
  EXPECT(system(command) == 0);
  // A child of fork is the same program and keeps the library.
  pid_t pid = fork();
  if (pid == 0) {
    allocate_volume(4);
    _exit(maps_have("libmmt") ? 0 : 1);
  }
  expect_success(pid);
  return 0;
}
