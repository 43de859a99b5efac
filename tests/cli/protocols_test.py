"""`mmt run --backend` and `--protocol`: which libraries the program gets."""

import os
import pathlib
import time

from backend_support import ALLOCATOR, LIBRARIES, BackendLab
from support import MMT, clean_environment, library, main, mmt, protocols

import machine  # of tests/support

PRINT = "echo $LD_PRELOAD; echo $MMT_PROTOCOL_OPTIONS"

# Its functions call each other by their names, which lead to us; malloc is the only one that does not.
CALLS_ITSELF = """
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
typedef struct Block { size_t size; struct Block* next; } Block;
static Block* free_blocks[64];
static char* heap;
static size_t used, room;
static int lock;
static int class_of(size_t size) { return 64 - __builtin_clzl((size < 16 ? 16 : size) - 1); }
static void* take(int class) {
  Block* block = free_blocks[class];
  if (block != NULL) return free_blocks[class] = block->next, block + 1;
  size_t bytes = sizeof(Block) + ((size_t)1 << class);
  if (used + bytes > room) {
    room = bytes > 8 << 20 ? bytes : 8 << 20;
    heap = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (heap == MAP_FAILED) return room = 0, NULL;
    used = 0;
  }
  block = (Block*)(heap + used);
  used += bytes;
  block->size = (size_t)1 << class;
  return block + 1;
}
void* malloc(size_t size) {
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {}
  void* block = take(class_of(size));
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  return block;
}
void free(void* at) {
  if (at == NULL) return;
  Block* block = (Block*)at - 1;
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {}
  Block** first = &free_blocks[class_of(block->size)];
  block->next = *first;
  *first = block;
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}
size_t malloc_usable_size(void* at) { return at == NULL ? 0 : ((Block*)at - 1)->size; }
void* calloc(size_t count, size_t size) {
  void* block = malloc(count * size);
  return block == NULL ? NULL : memset(block, 0, count * size);
}
void* realloc(void* at, size_t size) {
  if (malloc_usable_size(at) >= size) return at;
  void* to = malloc(size);
  if (to != NULL && at != NULL) memcpy(to, at, malloc_usable_size(at)), free(at);
  return to;
}
"""
# Grows arrays to many times what is kept in reserve for handlers.
GROWS = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
enum { kArrays = 100, kBytes = 2 << 20 };
static void on_alarm(int number) { (void)number; free(malloc(100)); }
int main(int argc, char** argv) {
  (void)argv;
  struct itimerval every = {{0, 1000}, {0, 1000}};
  if (argc > 1) signal(SIGALRM, on_alarm), setitimer(ITIMER_REAL, &every, NULL);
  static char* arrays[kArrays];
  for (size_t bytes = 1000; bytes < kBytes; bytes *= 2) {
    for (int i = 0; i < kArrays; ++i) {
      arrays[i] = realloc(arrays[i], bytes);
      if (arrays[i] == NULL) return puts("no memory"), 1;
      memset(bytes == 1000 ? arrays[i] : arrays[i] + bytes / 2, i, bytes == 1000 ? bytes : bytes / 2);
    }
  }
  for (int i = 0; i < kArrays; ++i) {
    for (size_t at = 0; at < kBytes / 4; ++at) if (arrays[i][at] != i) return puts("wrong"), 1;
    char* zeros = calloc(1, kBytes);
    for (size_t at = 0; at < kBytes; ++at) if (zeros[at] != 0) return puts("not zero"), 1;
    free(arrays[i]);
    arrays[i] = memset(zeros, 1, kBytes);
  }
  puts("right");
}
"""
TELLS_TRIM = """
#include <stdio.h>
int malloc_trim(size_t pad) { printf("trim %zu\\n", pad); return 1; }
"""
TRIMS = """
#include <malloc.h>
int main(void) { return malloc_trim(12345) == 1 ? 0 : 1; }
"""
# glibc maps what is not below M_MMAP_THRESHOLD, and marks the block by a bit before it.
MAPS = """
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int is_mapped(void) {
  size_t* block = malloc(20 << 20);
  int mapped = (block[-1] & 2) != 0;
  free(block);
  return mapped;
}
int main(int argc, char** argv) {
  for (int i = 0; i < 100000; ++i) memset(malloc(100), 1, 100);
  int before = is_mapped();
  mallopt(M_TOP_PAD, 4096);
  free(malloc(64 << 10));  // trims
  printf("%d %d\\n", before, is_mapped());
}
"""
PROTOCOLS = protocols()


class Libraries(BackendLab):
    """A protocol's library, and the backend's behind it."""

    def preload(self, *flags):
        done = mmt("run", *flags, "--", "sh", "-c", PRINT)
        self.assertEqual(done.status, 0, done)
        preload, options, _ = done.out.split("\n")
        return preload, options

    def test_over_glibc_there_is_one(self):
        expected = (str(LIBRARIES / "libmmt-protocol-mmt.so"), "")
        self.assertEqual(self.preload("--backend", "glibc"), expected)
        self.assertEqual(self.preload("--protocol", "mmt"), expected)

    def test_a_heap_of_layers_stands_behind(self):
        expected = f"{LIBRARIES}/libmmt-protocol-sync.so:{LIBRARIES}/libmmt-lea.so"
        self.assertEqual(self.preload("--backend", "lea", "--protocol", "sync")[0], expected)

    def test_any_library_stands_behind(self):
        for style in ("gnu", "sysv", "both"):
            other = self.allocator(f"{style}.so", "-shared", "-fPIC", f"-Wl,--hash-style={style}")
            preload, _ = self.preload("--backend", str(other))
            self.assertEqual(preload, f"{LIBRARIES}/libmmt-protocol-mmt.so:{other}")

    def test_options_reach_the_library(self):
        _, options = self.preload("--protocol", "preallocate:base=10,slope=0,refill=at-half")
        self.assertEqual(options, "base=10,slope=0,refill=at-half")

    def test_without_options_there_is_no_variable(self):
        env = clean_environment(MMT_PROTOCOL_OPTIONS="starve=1")
        for flags in (("--protocol", "sync"), ("--heap", "lea"), ()):
            done = mmt("run", *flags, "--", "sh", "-c", "echo ${MMT_PROTOCOL_OPTIONS-none}", env=env)
            self.assertEqual((done.status, done.out, done.err), (0, "none\n", ""), flags)

    def test_the_native_heap_has_the_protocol_mmt(self):
        self.assertEqual(self.preload("--backend", "native")[0], library())
        self.assertEqual(self.preload("--backend", "native", "--protocol", "mmt")[0], library())


class CallsItself(BackendLab):
    """What a library's functions call by their names is the library's own."""

    def test_all_memory_is_the_librarys(self):
        other = self.allocator("other.so", source=CALLS_ITSELF)
        program = self.compile("grows", GROWS, "-fno-builtin")
        for protocol in PROTOCOLS:
            for words in ((), ("with", "handler")):
                flags = ("--backend", str(other), "--protocol", protocol)
                done = mmt("run", *flags, "--", str(program), *words)
                self.assertEqual((done.status, done.out, done.err), (0, "right\n", ""), (protocol, words))


class Parameters(BackendLab):
    """malloc_trim and mallopt over a library."""

    def test_the_library_is_told_what_to_keep(self):
        other = self.allocator("other.so", source=ALLOCATOR + TELLS_TRIM)
        program = self.compile("trims", TRIMS)
        for protocol in PROTOCOLS:
            done = mmt("run", "--backend", str(other), "--protocol", protocol, "--", str(program))
            self.assertEqual((done.status, done.out, done.err), (0, "trim 12345\n", ""), protocol)

    def test_what_we_set_ends_with_the_programs_mallopt(self):
        program = self.compile("maps", MAPS, "-fno-builtin")
        beside = "1 0\n" if machine.lacks("two-cpus") else "0 1\n"  # without a growth thread nothing is set
        for flags, expected in (
            (("--protocol", "mmt"), beside),
            (("--protocol", "mmt:pad=0"), "1 0\n"),  # a block that was mapped and freed moves the threshold
            (("--protocol", "sync"), "1 0\n"),
        ):
            done = mmt("run", *flags, "--", str(program))
            self.assertEqual((done.status, done.out, done.err), (0, expected, ""), flags)


class SlowLibrary(BackendLab):
    """A handler forks while its thread waits for an answer that takes long: the child gets one too."""

    SOURCE = ALLOCATOR.replace("malloc(", "take(") + """
#include <unistd.h>
void* malloc(size_t size) { if (size == 7777) usleep(600000); return take(size); }
"""
    PROGRAM = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile pid_t child = -1;
static void fork_here(int number) {
  (void)number;
  child = fork();
  if (child == 0) signal(SIGALRM, SIG_DFL), alarm(20);
}
int main(void) {
  for (int i = 0; i < 30000; ++i) free(malloc(100));
  signal(SIGALRM, fork_here);
  struct itimerval soon = {{0, 0}, {0, 100000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  char* block = malloc(7777);
  if (block == NULL) return 1;
  memset(block, 1, 7777);
  if (child == 0) _exit(0);
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return 2;
  return status == 0 ? 0 : 3;
}
"""

    def test_the_child_goes_on(self):
        slow = self.allocator("slow.so", source=self.SOURCE)
        program = self.compile("forks", self.PROGRAM, "-fno-builtin")
        for protocol in PROTOCOLS:
            done = mmt("run", "--backend", str(slow), "--protocol", protocol, "--", str(program))
            self.assertEqual((done.status, done.err), (0, ""), protocol)


class Unusual(BackendLab):
    """Libraries that do less than glibc's, as the standards allow."""

    SOURCE = ALLOCATOR.replace("void* malloc(size_t size) {", "void* malloc(size_t size) { if (size == 0) return 0;")

    def test_new_of_nothing_is_something(self):
        source = """
#include <new>
int main() {
  char* volatile one = new char[0];
  char* volatile other = new (std::nothrow) char[0];
  return one != nullptr && other != nullptr ? 0 : 1;
}
"""
        strange = self.allocator("strange.so", source=self.SOURCE)
        program = self.compile("news", source, "-fno-builtin", "-lstdc++", language="c++")
        for protocol in PROTOCOLS:
            done = mmt("run", "--backend", str(strange), "--protocol", protocol, "--", str(program))
            self.assertEqual((done.status, done.err), (0, ""), protocol)

    def test_realloc_of_blocks_without_a_size_keeps_them(self):
        source = """
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char* block = strcpy(malloc(10), "kept");
  mallopt(M_PERTURB, 7);
  block = realloc(block, 1000);
  return block != NULL && strcmp(block, "kept") == 0 ? 0 : 1;
}
"""
        strange = self.allocator("strange.so", source=self.SOURCE)
        program = self.compile("reallocs", source, "-fno-builtin")
        for protocol in PROTOCOLS:
            done = mmt("run", "--backend", str(strange), "--protocol", protocol, "--", str(program))
            self.assertEqual((done.status, done.err), (0, ""), protocol)


class Nested(BackendLab):
    """Where one `mmt run` lies inside another, only the inner one's libraries and options are left."""

    def loaded(self, outer, inner, **env):
        """Libraries and protocol options that a program gets from `inner` inside `outer`.

        What is mapped into it must be what LD_PRELOAD names.
        """
        program = ("sh", "-c", 'echo "$LD_PRELOAD" "$MMT_PROTOCOL_OPTIONS"; exec cat /proc/self/maps')
        done = mmt("run", *outer, "--", MMT, "run", *inner, "--", *program, env=clean_environment(**env))
        self.assertEqual((done.status, done.err), (0, ""), done)
        first, *maps = done.out.splitlines()
        preload, options = first.split(" ")
        mapped = {line.split(maxsplit=5)[5] for line in maps if ".so" in line}
        self.assertLessEqual({os.path.realpath(one) for one in preload.split(":")}, mapped)
        ours = {pathlib.Path(one).name for one in mapped if str(self.folder) in one or "/libmmt" in one}
        self.assertEqual(ours, {pathlib.Path(one).name for one in preload.split(":")})
        return ours, options

    def test_native_in_a_protocol(self):
        other = self.allocator("other.so")
        for outer in (("--backend", "glibc"), ("--backend", "lea"), ("--backend", other)):
            self.assertEqual(self.loaded(outer, ()), ({"libmmt.so"}, ""), outer)
        self.assertEqual(self.loaded(("--protocol", "sync:starve=1"), ()), ({"libmmt.so"}, ""))

    def test_a_protocol_in_native(self):
        self.assertEqual(self.loaded((), ("--backend", "glibc")), ({"libmmt-protocol-mmt.so"}, ""))
        inner = ("--backend", "lea", "--protocol", "sync:starve=1")
        self.assertEqual(self.loaded((), inner), ({"libmmt-protocol-sync.so", "libmmt-lea.so"}, "starve=1"))

    def test_a_protocol_in_a_protocol(self):
        outer = ("--backend", self.allocator("other.so"), "--protocol", "preallocate:base=10")
        self.assertEqual(self.loaded(outer, ("--protocol", "sync")), ({"libmmt-protocol-sync.so"}, ""))
        inner = ("--backend", "lea", "--protocol", "preallocate:slope=1")
        self.assertEqual(
            self.loaded(outer, inner), ({"libmmt-protocol-preallocate.so", "libmmt-lea.so"}, "slope=1")
        )

    def test_a_heap_in_line(self):
        self.assertEqual(self.loaded(("--backend", "phk"), ("--heap", "lea")), ({"libmmt-lea.so"}, ""))
        self.assertEqual(self.loaded(("--heap", "lea"), ()), ({"libmmt.so"}, ""))

    def test_libraries_of_others_stay(self):
        other = self.compile("other.so", "int mmt_test_other;", "-shared", "-fPIC")
        self.assertEqual(
            self.loaded(("--backend", "lea"), (), LD_PRELOAD=other), ({"libmmt.so", "other.so"}, "")
        )


if __name__ == "__main__":
    main()
