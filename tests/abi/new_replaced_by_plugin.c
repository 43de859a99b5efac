// A C program's plugin that replaces operator new and delete has its own, in every form. This holds
// whichever way the plugin was opened, as there is no C++ runtime before it.

#include <sys/wait.h>

#include "support/plugin.h"

static void check_plugin(const char* program, int flags) {
  const pid_t child = fork();
  if (child == 0) {
    void* library = open_plugin(program, "lib_replaces_new.so", RTLD_NOW | flags);
    void (*check)(void) = NULL;
    void (*free_early)(void) = NULL;
    *(void**)&check = find_in_plugin(library, "check_forms");
    *(void**)&free_early = find_in_plugin(library, "free_early");
    free_early();
    check();
    _exit(0);
  }
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0, "flags %#x: %#x", flags, status);
}

int main(int argc, char** argv) {
  (void)argc;
  check_plugin(argv[0], RTLD_LOCAL);
  check_plugin(argv[0], RTLD_GLOBAL);
  check_plugin(argv[0], RTLD_DEEPBIND);
  return 0;
}
