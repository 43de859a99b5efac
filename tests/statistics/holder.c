// The heap of this program is known. The arguments are carried out in order:
// - take N SIZE   N blocks of SIZE bytes
// - free N        the last N of them
// - rest MS       sleeps
// - page          prints in_use_bytes of the statistics page, as `mmt stats` would read it
// - scribble      overwrites the environment, as programs do that change what ps shows
// - fork          a child that takes a block of 1 MiB and ends; waits for it
// - thread-exit   ends the process from another thread
// - main-ends     ends the main thread; another one ends later, and with it the process
// - close-2       closes standard error
// - kill          ends by SIGKILL
// - confine       from now on getpid, or the opening of a file, is its death
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void* blocks[1 << 20];
static size_t count;

static void* exits(void* unused) {
  (void)unused;
  exit(0);
}

static void* ends_later(void* unused) {
  usleep(50000);
  return unused;
}

static void start(void* (*body)(void*)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, NULL) != 0) exit(1);
}

static void print_page(void) {
  struct {
    char magic[8];
    uint32_t version, count;
    uint64_t sequence, values[64];
  }* page = dlsym(RTLD_DEFAULT, "mmt_stats_page");
  if (page == NULL || strcmp(page->magic, "MMTSTAT") != 0) exit(1);
  dprintf(1, "%llu\n", (unsigned long long)page->values[0]);
}

static void confine(void) {
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpid, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog whole = {sizeof program / sizeof program[0], program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) exit(1);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) != 0) exit(1);
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "take") == 0) {
      const size_t many = strtoul(argv[++i], NULL, 10);
      const size_t size = strtoul(argv[++i], NULL, 10);
      for (size_t n = 0; n < many; ++n) blocks[count++] = malloc(size);
    } else if (strcmp(argv[i], "free") == 0) {
      for (size_t n = strtoul(argv[++i], NULL, 10); n > 0; --n) free(blocks[--count]);
    } else if (strcmp(argv[i], "rest") == 0) {
      usleep((useconds_t)strtoul(argv[++i], NULL, 10) * 1000);
    } else if (strcmp(argv[i], "page") == 0) {
      print_page();
    } else if (strcmp(argv[i], "scribble") == 0) {
      for (char** e = environ; *e != NULL; ++e) memset(*e, 'x', strlen(*e));
    } else if (strcmp(argv[i], "fork") == 0) {
      const pid_t child = fork();
      if (child == 0) {
        blocks[count++] = malloc(1 << 20);
        exit(0);
      }
      waitpid(child, NULL, 0);
    } else if (strcmp(argv[i], "thread-exit") == 0) {
      start(exits);
      pause();
    } else if (strcmp(argv[i], "main-ends") == 0) {
      start(ends_later);
      pthread_exit(NULL);
    } else if (strcmp(argv[i], "close-2") == 0) {
      close(2);
    } else if (strcmp(argv[i], "kill") == 0) {
      kill(getpid(), SIGKILL);
    } else if (strcmp(argv[i], "confine") == 0) {
      confine();
    } else {
      return 2;
    }
  }
  return 0;
}
