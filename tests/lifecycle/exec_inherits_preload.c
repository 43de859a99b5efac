// exec keeps the preload (proof.c looks again in the new program), from main, from a thread, and
// while other threads allocate. The program runs without the preload when the environment is empty.

#include <dlfcn.h>
#include <pthread.h>

#include "support/processes.h"

static const char* self_path(void) {
  static char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  EXPECT(n > 0);
  return path;
}

static void* exec_in_thread(void* arg) {
  execl(self_path(), "self", (char*)arg, (char*)NULL);
  EXPECT(false);
  return NULL;
}

int main(int argc, char** argv) {
  allocate_volume(16);
  if (argc > 1 && strcmp(argv[1], "bare") == 0) {
    Dl_info info;
    EXPECT(dladdr(dlsym(RTLD_DEFAULT, "malloc"), &info) && strstr(info.dli_fname, "libc.so"));
    return 0;
  }
  if (argc > 1) {  // a number: so many generations to come
    int left = atoi(argv[1]);
    if (left == 0) return 0;
    char next[16];
    snprintf(next, sizeof next, "%d", left - 1);
    for (uintptr_t t = 0; t < 4; ++t) {
      pthread_t ignored;
      EXPECT(pthread_create(&ignored, NULL, churn_thread, (void*)t) == 0);
    }
    if (left % 2 == 0) exec_in_thread(next);
    pthread_t t;
    EXPECT(pthread_create(&t, NULL, exec_in_thread, next) == 0);
    pthread_join(t, NULL);
  }
  expect_success(start_self("20"));
  pid_t pid = fork();
  if (pid == 0) {
    char* const arguments[] = {"self", "bare", NULL};
    char* const nothing[] = {NULL};
    execve(self_path(), arguments, nothing);
    _exit(99);
  }
  expect_success(pid);
  return 0;
}
