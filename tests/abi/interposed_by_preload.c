// A library that defines functions of libc's is called neither by malloc nor by the memory thread.
// The library is preloaded before ours or behind it. It allocates in each function and counts in a
// thread-local variable.
// @timeout 40

#include <dlfcn.h>

#include "support/all_of_malloc.h"

static void run_with(const char* first, const char* second, const char* program) {
  char preload[4096];
  snprintf(preload, sizeof preload, "%s %s", first, second);
  const pid_t child = fork();
  if (child == 0) {
    setenv("LD_PRELOAD", preload, 1);
    execl(program, program, "child", NULL);
    _exit(99);
  }
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0, "%s: status %x", preload, status);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    long (*calls)(void) = (long (*)(void))dlsym(RTLD_DEFAULT, "interposed_calls");
    EXPECT(calls != NULL);
    const long before = calls();
    use_all_of_malloc();
    EXPECT(calls() > before);
    return 0;
  }
  char library[4096];
  snprintf(library, sizeof library, "%.*s/lib_interposes_libc.so",
           (int)(strrchr(argv[0], '/') - argv[0]), argv[0]);
  const char* ours = getenv("LD_PRELOAD");
  if (ours == NULL) ours = "";
  run_with(library, ours, argv[0]);
  run_with(ours, library, argv[0]);
  return 0;
}
