"""A program that calls its library by a name of the library's own. It holds a lock while libc
allocates, as jemalloc's mallctl does while it starts threads. A thread that asks the memory thread
then must not wait for ever."""

from c_sources import BESIDE_MALLOC_AND_FREE
from support import Lab, main, mmt, protocols

# The lock is recursive, as the library serves what its own calls bring about.
LIBRARY = """
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static char heap[256 << 20] __attribute__((aligned(16)));
static size_t used;
void with_lock(void (*act)(void)) { pthread_mutex_lock(&lock); act(); pthread_mutex_unlock(&lock); }
static void* take(size_t size) {
  size_t bytes = (size + 31) / 16 * 16;
  if (used + bytes > sizeof heap) return NULL;
  size_t* block = (size_t*)(heap + used);
  used += bytes;
  *block = bytes - 16;
  return block + 2;
}
void* malloc(size_t size) {
  pthread_mutex_lock(&lock);
  void* block = take(size);
  pthread_mutex_unlock(&lock);
  return block;
}
void free(void* at) { pthread_mutex_lock(&lock); if (at != NULL) memset(at, 1, ((size_t*)at)[-2]); pthread_mutex_unlock(&lock); }
"""
PROGRAM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { kBlocks = 1000 };
static char* blocks[kBlocks];
static void fill_and_free(void) {
  for (int i = 0; i < kBlocks; ++i) {
    size_t bytes = 16 + (size_t)i % 90 * 16;
    blocks[i] = malloc(bytes);
    if (blocks[i] == NULL) puts("no memory"), fflush(stdout), _Exit(1);
    memset(blocks[i], i, bytes);
  }
  for (int i = 0; i < kBlocks; ++i) {
    if (blocks[i][15] != (char)i) puts("wrong"), fflush(stdout), _Exit(1);
    free(blocks[i]);
  }
}
static void trim(void) { mallinfo2(), malloc_trim(0); }
int main(void) {
  void (*with_lock)(void (*)(void)) = dlsym(RTLD_DEFAULT, "with_lock");
  for (int i = 0; i < 5; ++i) fill_and_free(), with_lock(fill_and_free), with_lock(trim);
  fill_and_free();
  puts("right");
}
"""


class LibraryLock(Lab):
    def test_who_holds_it_helps_himself(self):
        library = self.compile("locking.so", LIBRARY + BESIDE_MALLOC_AND_FREE, "-fno-builtin", "-shared", "-fPIC")
        program = self.compile("calls", PROGRAM, "-fno-builtin")
        for protocol in (*protocols(), "sync:model=fork-join"):
            done = mmt("run", "--backend", str(library), "--protocol", protocol, "--", str(program))
            self.assertEqual((done.status, done.out, done.err), (0, "right\n", ""), protocol)


if __name__ == "__main__":
    main()
