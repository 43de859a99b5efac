// A library that replaces operator new and delete, as collectors do, has all forms of the
// program's. The library stands before the C++ runtime, in front of the allocator or behind it.

#include <sys/wait.h>

#include "support/operator_forms.h"
#include "support/plugin.h"

static void run_again(char** argv, const char* order) {
  const pid_t child = fork();
  if (child == 0) {
    char folder[2048];
    char preload[8192];
    const char* mine = getenv("LD_PRELOAD");
    snprintf(folder, sizeof folder, "%.*s", static_cast<int>(strrchr(argv[0], '/') - argv[0]),
             argv[0]);
    const bool is_first = strcmp(order, "front") == 0;
    snprintf(preload, sizeof preload, "%s%s%s/lib_replaces_new.so%s%s",
             is_first || !mine ? "" : mine, is_first ? "" : ":", folder, is_first ? ":" : "",
             is_first && mine ? mine : "");
    setenv("LD_PRELOAD", preload, 1);
    execl(argv[0], argv[0], order, nullptr);
    _exit(99);
  }
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0, "in %s: %#x", order, status);
}

int main(int argc, char** argv) {
  if (argc == 1) {
    run_again(argv, "front");
    run_again(argv, "back");
    return 0;
  }
  HeadedCounts* (*counts)() = nullptr;
  *reinterpret_cast<void**>(&counts) = find_in_plugin(RTLD_DEFAULT, "counts_of_library");
  // Its own, from before anybody's main.
  void (*free_early)() = nullptr;
  *reinterpret_cast<void**>(&free_early) = find_in_plugin(RTLD_DEFAULT, "free_early");
  free_early();
  EXPECT(counts()->given >= 1);
  OperatorForms::check({counts(), true, true, false, false});
  return 0;
}
