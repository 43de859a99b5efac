// RLIMIT_NPROC lets an ordinary user start no thread: set before the program starts and while it
// runs. The library serves on the program's own thread, and says nothing of it.
// @stderr-not .
// @memory-thread

#include <sys/resource.h>

#include "support/ordinary_user.h"
#include "support/processes.h"

static void limit(void) {
  struct rlimit one = {1, 1};
  EXPECT(setrlimit(RLIMIT_NPROC, &one) == 0);
}

static void in_running_program(void* arg) {
  (void)arg;
  become_ordinary_user();
  limit();
  EXPECT(fork() == -1 && errno == EAGAIN);
  allocate_volume(256);
  EXPECT(thread_count() == 1);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    allocate_volume(256);
    EXPECT(thread_count() == 1);
    return 0;
  }
  expect_success(fork_child(in_running_program, NULL));
  // The current folder is the runner's: everybody may enter. The originals may lie where only root
  // can.
  copy_for_everybody("/proc/self/exe", "program");
  const char* lib = getenv("PRELOAD_PROOF_LIB");
  char copy[4096];
  EXPECT(getcwd(copy, sizeof copy - 32) != NULL);
  strcat(copy, under_mmt() ? "/libmmt_copy.so" : "/lib_copy.so");
  if (lib != NULL) copy_for_everybody(lib, copy);
  pid_t pid = fork();
  if (pid == 0) {
    if (lib != NULL) setenv("LD_PRELOAD", copy, 1);
    if (lib != NULL) setenv("PRELOAD_PROOF_LIB", copy, 1);
    become_ordinary_user();
    limit();
    execl("./program", argv[0], "limited", (char*)NULL);
    EXPECT(false);
  }
  expect_success(pid);
  return 0;
}
