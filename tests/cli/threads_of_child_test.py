"""A library that knows threads by their pthread_t, as oneTBB knows the owners of blocks. A fork's
child must not call it from a thread with the pthread_t of one that its parent had. pthread gives
those out again, with the stacks."""

from c_sources import BESIDE_MALLOC_AND_FREE
from support import Lab, main, mmt, protocols

import machine  # of tests/support

LIBRARY = """
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char heap[256 << 20] __attribute__((aligned(16)));
static size_t used;
static struct { pthread_t thread; pid_t process; } seen[100];
static size_t count;
static size_t others;
size_t calls_of_others(void) { return others; }
static void note_thread(void) {
  if (gettid() == getpid()) return;
  ++others;
  for (size_t i = 0; i < count; ++i) {
    if (seen[i].thread != pthread_self()) continue;
    if (seen[i].process != getpid()) write(1, "known\\n", 6), _exit(1);
    return;
  }
  if (count < 100) seen[count].thread = pthread_self(), seen[count++].process = getpid();
}
void* malloc(size_t size) {
  pthread_mutex_lock(&lock);
  note_thread();
  size_t bytes = (size + 31) / 16 * 16;
  size_t* block = used + bytes > sizeof heap ? NULL : (size_t*)(heap + used);
  if (block != NULL) used += bytes, *block = bytes - 16;
  pthread_mutex_unlock(&lock);
  return block == NULL ? NULL : block + 2;
}
void free(void* at) { pthread_mutex_lock(&lock); note_thread(); pthread_mutex_unlock(&lock); (void)at; }
"""
# What a process does until its memory thread has called the library, and a fork of which the child goes on.
UNTIL_IT_HAS_A_THREAD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static char* blocks[1000];
static void answer(const char* text, int status) { puts(text), fflush(stdout), _exit(status); }
static void allocate_until_it_has_a_thread(void) {
  size_t (*calls_of_others)(void) = (size_t (*)(void))dlsym(RTLD_DEFAULT, "calls_of_others");
  const size_t before = calls_of_others();
  for (int i = 0; i < 20 || (i < 500 && calls_of_others() == before); ++i) {
    for (int j = 0; j < 1000; ++j) {
      blocks[j] = malloc(100);
      if (blocks[j] == NULL) answer("no memory", 1);
      memset(blocks[j], j, 100);
    }
    for (int j = 0; j < 1000; ++j) free(blocks[j]);
  }
  if (calls_of_others() == before) answer("no thread", 1);
}
static void go_on_in_child(void) {
  int status = 0;
  if (fork() == 0) return;
  wait(&status);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}
"""
# A child, its child and that one's: each has a memory thread of its own.
GENERATIONS = """
int main(void) {
  for (int level = 0; level < 3; ++level) {
    allocate_until_it_has_a_thread();
    go_on_in_child();
  }
  answer("right", 0);
}
"""
# A child's first thread is the program's.
THREAD_IN_CHILD = """
static void* allocate(void* unused) {
  (void)unused;
  char* volatile block = malloc(100);
  free(block);
  return NULL;
}
int main(void) {
  allocate_until_it_has_a_thread();
  go_on_in_child();
  pthread_t thread;
  if (pthread_create(&thread, NULL, allocate, NULL) != 0) answer("not started", 1);
  pthread_join(thread, NULL);
  answer("right", 0);
}
"""


class ThreadsOfChild(Lab):
    def test_a_childs_memory_thread_is_not_known_to_the_library(self):
        self._is_right(GENERATIONS)

    def test_a_childs_thread_is_not_taken_for_its_parents_memory_thread(self):
        self._is_right(THREAD_IN_CHILD)

    def _is_right(self, main_function):
        if why := machine.lacks("two-cpus"):  # with one no memory thread is started
            self.skipTest(why)
        library = self.compile("knowing.so", LIBRARY + BESIDE_MALLOC_AND_FREE, "-fno-builtin", "-shared", "-fPIC")
        program = self.compile("forks", UNTIL_IT_HAS_A_THREAD + main_function, "-fno-builtin", "-pthread")
        for protocol in protocols():
            if protocol == "mmt":
                continue
            done = mmt("run", "--backend", str(library), "--protocol", protocol, "--", str(program))
            self.assertEqual((done.status, done.out, done.err), (0, "right\n", ""), protocol)


if __name__ == "__main__":
    main()
