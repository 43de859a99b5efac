"""`--protocol P:library=single-threaded`: a library that knows of no threads, behind each protocol."""

from support import Lab, main, mmt

import machine  # of tests/support

# It tells, and ends the program, when a call begins before another one has ended.
LIBRARY = """
#include <stddef.h>
#include <string.h>
#include <unistd.h>
typedef struct Block { size_t size; struct Block* next; } Block;
static Block* free_blocks[64];
static char heap[64 << 20] __attribute__((aligned(16)));
static size_t used;
static int visitors;
static void enter(void) {
  if (__atomic_fetch_add(&visitors, 1, __ATOMIC_RELAXED) == 0) return;
  if (write(2, "two at a time\\n", 14) > 0) _exit(99);
}
static void leave(void) { __atomic_fetch_sub(&visitors, 1, __ATOMIC_RELAXED); }
static int class_of(size_t size) { return 64 - __builtin_clzl((size < 16 ? 16 : size) - 1); }
// As long as a search of a list may take.
static void search(void) { for (volatile int i = 0; i < 50; ++i) {} }
static void* take(size_t size) {
  int class = class_of(size);
  Block* block = free_blocks[class];
  search();
  if (block != NULL) return free_blocks[class] = block->next, block + 1;
  size_t bytes = sizeof(Block) + ((size_t)1 << class);
  if (used + bytes > sizeof heap) return NULL;
  block = (Block*)(heap + used);
  used += bytes;
  block->size = (size_t)1 << class;
  return block + 1;
}
static void give(void* at) {
  Block* block = (Block*)at - 1;
  Block** first = &free_blocks[class_of(block->size)];
  search();
  block->next = *first;
  *first = block;
}
void* malloc(size_t size) { enter(); void* block = take(size); leave(); return block; }
void free(void* at) { if (at != NULL) enter(), give(at), leave(); }
size_t malloc_usable_size(void* at) { enter(); size_t size = ((Block*)at - 1)->size; leave(); return size; }
void* calloc(size_t count, size_t size) {
  enter();
  void* block = take(count * size);
  if (block != NULL) memset(block, 0, count * size);
  return leave(), block;
}
void* realloc(void* at, size_t size) {
  enter();
  void* to = at;
  if (at == NULL || ((Block*)at - 1)->size < size) {
    to = take(size);
    if (to != NULL && at != NULL) memcpy(to, at, ((Block*)at - 1)->size), give(at);
  }
  return leave(), to;
}
"""
# Each block is filled, and looked at before it goes; now and then a child does the same.
PROGRAM = """
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
enum { kPlaces = 200, kSteps = 60000 };
static unsigned char* blocks[kPlaces];
static size_t sizes[kPlaces];
static unsigned seed = 1;
static unsigned any(unsigned below) { return (seed = seed * 1103515245 + 12345) / 65536 % below; }
static void check(int i, size_t bytes) {
  for (size_t at = 0; at < bytes; ++at) if (blocks[i][at] != i) puts("wrong"), fflush(stdout), _exit(1);
}
static void step(void) {
  int i = (int)any(kPlaces);
  size_t before = blocks[i] == NULL ? 0 : sizes[i];
  size_t bytes = 1 + any(any(10) == 0 ? 9000 : 300);
  switch (blocks[i] == NULL ? any(2) : 2 + any(2)) {
    case 0: blocks[i] = malloc(bytes); break;
    case 1:
      blocks[i] = calloc(1, bytes);
      for (size_t at = 0; at < bytes; ++at) if (blocks[i][at] != 0) puts("not zero"), fflush(stdout), _exit(1);
      break;
    case 2: check(i, before); free(blocks[i]); blocks[i] = NULL; return;
    default: blocks[i] = realloc(blocks[i], bytes); check(i, before < bytes ? before : bytes);
  }
  if (blocks[i] == NULL) puts("no memory"), fflush(stdout), _exit(1);
  sizes[i] = bytes;
  memset(blocks[i], i, bytes);
}
int main(void) {
  for (int i = 0; i < kSteps; ++i) {
    step();
    if (i % 10000 != 5000) continue;
    pid_t child = fork();
    if (child == 0) {
      for (int k = 0; k < 3000; ++k) step();
      _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child) return puts("no child"), 2;
    if (status != 0) return puts("the child"), WIFEXITED(status) ? WEXITSTATUS(status) : 3;
  }
  puts("right");
  malloc_stats();
}
"""
WHILE_IT_FREES = "async-free main-alloc-pthread main-alloc-minimalist main-alloc-bulk preallocate recycle-shared recycle-sized"


class SingleThreaded(Lab):
    def setUp(self):
        super().setUp()
        self.library = self.compile("plain.so", LIBRARY, "-fno-builtin", "-shared", "-fPIC")
        self.program = self.compile("changes", PROGRAM, "-fno-builtin")

    def run_behind(self, protocol):
        return mmt("run", "--backend", str(self.library), "--protocol", protocol, "--", str(self.program))

    def test_one_thread_at_a_time_is_in_it(self):
        for protocol in ("sync", *WHILE_IT_FREES.split()):
            done = self.run_behind(f"{protocol}:library=single-threaded,start=0")
            self.assertEqual((done.status, done.out), (0, "right\n"), protocol)
            self.assertRegex(done.err, r"\Ammt: library taken: \d+ blocks from the reserve, \d+ frees put off\n\Z")

    def test_ours_calls_it_from_the_programs_own_threads(self):
        done = self.run_behind("mmt")
        self.assertEqual((done.status, done.out, done.err), (0, "right\n", ""))

    def test_who_is_not_told_so_finds_it_by_several(self):
        """The library above does tell: else the tests before this one could not fail. Threads on a busy
        machine may never meet in one run."""
        if why := machine.lacks("two-cpus"):
            self.skipTest(why)
        for _ in range(20):
            done = self.run_behind("main-alloc-bulk:start=0")
            if done.status == 99:
                break
        self.assertEqual((done.status, done.err.splitlines()[:1]), (99, ["two at a time"]))  # or each of them tells


if __name__ == "__main__":
    main()
