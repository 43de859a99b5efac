"""`mmt bench --latency`: every call is timed once, wherever it is made, and nothing is disturbed."""

import os
import pathlib
import shutil
import subprocess

from bench_support import Bench
from support import MMT, clean_environment, main, mmt

ALLOCATORS = "mmt,glibc,jemalloc,mimalloc,tcmalloc-minimal,tbbmalloc"

# Twice as many calls of each kind as its argument says: one half in threads, one in a child that
# leaves by _exit. What the program does besides is the same for every argument.
CALLS = """
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int count;
static void* volatile block;
static void* work(void* unused) {
  for (int i = 0; i < count; ++i) {
    void* volatile mine = malloc(16 + i % 1000);
    mine = realloc(mine, 2000);
    free(mine);
    mine = calloc(3, 5);
    free(mine);
    void* aligned = 0;
    if (posix_memalign(&aligned, 256, 100) != 0) abort();
    mine = aligned;
    free(mine);
  }
  return unused;
}
int main(int argc, char** argv) {
  count = atoi(argv[argc - 1]) / 2;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  count *= 2;
  pid_t child = fork();
  if (child == 0) {
    work(0);
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status;
}
"""
OPERATORS = """
#include <cstdint>
#include <cstdlib>
#include <new>
struct alignas(64) Wide { char bytes[64]; };
int main(int, char** argv) {
  int count = std::atoi(argv[1]);
  for (int i = 0; i < count; ++i) {
    int* volatile one = new int(7);
    delete one;
    char* volatile many = new (std::nothrow) char[100];
    delete[] many;
    Wide* volatile wide = new Wide;
    if (reinterpret_cast<std::uintptr_t>(wide) % 64 != 0) return 2;
    delete wide;
  }
  return 0;
}
"""
THROWER = """
#include <cstdint>
#include <new>
int main() {
  for (int i = 0; i < 1000; ++i) {
    try {
      char* volatile all = new char[PTRDIFF_MAX / 2];
      delete[] all;
      return 3;
    } catch (const std::bad_alloc&) {
      delete new int(i);
    }
  }
  return 0;
}
"""
# A call that faults, left by the handler; then calls from deeper in the stack.
LEAVER = """
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
static sigjmp_buf back;
static void leave(int signal) { siglongjmp(back, signal); }
static void __attribute__((noinline)) work(int depth) {
  char volatile deep[4096];
  deep[depth] = 1;
  if (depth > 0) return work(depth - 1);
  for (int i = 0; i < 1000; ++i) {
    void* volatile block = malloc(100);
    free(block);
  }
}
int main(void) {
  signal(SIGSEGV, leave);
  if (sigsetjmp(back, 1) == 0) free((void*)0x10);
  work(3);
  return 0;
}
"""
# A C program that opens a C++ library for itself alone.
OPENER = """
#include <dlfcn.h>
int main(int argc, char** argv) {
  void* library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  int (*answer)(void) = library ? (int (*)(void))dlsym(library, "answer") : 0;
  return answer ? answer() : 9;
}
"""
OPENED = """
#include <map>
#include <string>
extern "C" int answer() {
  std::map<int, std::string> texts;
  for (int i = 0; i < 100; ++i) texts[i] = std::string(100, 'x');
  return texts.size() == 100 ? 0 : 8;
}
"""
# An allocator that sleeps in one call.
SLEEPY = """
#include <stddef.h>
#include <unistd.h>
extern void* __libc_malloc(size_t);
extern void __libc_free(void*);
void free(void* block) { __libc_free(block); }
void* malloc(size_t bytes) {
  if (bytes == 12345) usleep(20000);
  return __libc_malloc(bytes);
}
"""
SLEEPER = """
#include <stdlib.h>
int main(void) {
  void* volatile block;
  for (int i = 0; i < 1000; ++i) {
    block = malloc(i == 500 ? 12345 : 100);
    free(block);
  }
  return 0;
}
"""


class Latency(Bench):
    def metrics(self, command, allocators=ALLOCATORS, runs=1):
        done, report = self.bench("--runs", runs, "--latency", "--allocators", allocators, "--", *command)
        self.assertEqual((done.status, done.err), (0, ""), done)
        return {cell["allocator"]: cell["metrics"] for cell in report["programs"][0]["cells"]}

    def counted(self, command, less, more):
        """Calls of malloc and of free that the program makes more of with the last argument `more`."""
        few, many = (self.metrics([*command, str(count)]) for count in (less, more))
        return {
            name: tuple(
                many[name][f"{kind}_calls"]["median"] - few[name][f"{kind}_calls"]["median"]
                for kind in ("malloc", "free")
            )
            for name in few
        }

    def test_every_call_counts_once(self):
        counts = self.counted([self.compile("calls", CALLS, "-pthread", "-fno-builtin")], 100, 1100)
        self.assertEqual(len(counts), 6)
        for name, (mallocs, frees) in counts.items():
            self.assertEqual((mallocs, frees), (2 * 4 * 1000, 2 * 3 * 1000), name)

    def test_operators_count_once(self):
        flags = ("-std=c++17", "-fno-builtin", "-lstdc++")
        program = self.compile("operators", OPERATORS, *flags, language="c++")
        for name, counts in self.counted([program], 10, 1010).items():
            self.assertEqual(counts, (3000, 3000), name)

    def test_exceptions_pass_and_are_forgotten(self):
        program = self.compile("thrower", THROWER, "-fno-builtin", "-lstdc++", language="c++")
        for name, metrics in self.metrics([program], "mmt,glibc").items():
            self.assertGreaterEqual(metrics["free_calls"]["median"], 1000, name)

    def test_calls_left_by_siglongjmp_are_forgotten(self):
        program = self.compile("leaver", LEAVER, "-fno-builtin")
        for name, metrics in self.metrics([program], "mmt,glibc").items():
            self.assertGreaterEqual(metrics["malloc_calls"]["median"], 1000, name)

    def test_a_program_without_calls(self):
        program = self.compile("nothing", "int main(void) { return 0; }")
        for metrics in self.metrics([program], "glibc,mmt").values():
            self.assertEqual(metrics["malloc_calls"]["median"], 0)
            self.assertNotIn("malloc_call_p50", metrics)

    def test_no_room_for_the_counts(self):
        command = f"trap '' XFSZ; ulimit -f 100; exec {os.path.abspath(MMT)} bench --latency --runs 1"
        done = subprocess.run(["sh", "-c", f"{command} --allocators glibc -- true"], env=clean_environment(),
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stdout, "FAILED: .*cannot make '.*/calls': File too large")

    def test_figures_are_in_order_and_shown(self):
        program = self.compile("calls", CALLS, "-pthread", "-fno-builtin")
        done, report = self.bench("--runs", 2, "--latency", "--allocators", "glibc", "--", program, "1000")
        metrics = self.cell(report, "glibc")["metrics"]
        for kind in ("malloc", "free"):
            figures = [metrics[f"{kind}_call_{one}"] for one in ("p50", "p99", "p9999", "max")]
            self.assertEqual([len(one["samples"]) for one in figures], [2] * 4)
            for samples in zip(*(one["samples"] for one in figures)):
                values = [one["value"] for one in samples]
                self.assertEqual(values, sorted(values))
                self.assertGreater(values[0], 0)
            calls, total = (metrics[f"{kind}{one}"] for one in ("_calls", "_call_total"))
            self.assertEqual((calls["unit"], total["unit"]), ("count", "ms"))
            self.assertGreaterEqual(total["median"] * 1e6, metrics[f"{kind}_call_p50"]["low"] * calls["low"] / 4)
        for text in ("Latency", "malloc_call_p99", "free_call_over10us"):
            self.assertIn(text, done.out)
        self.assertIn("--latency", report["command"])

    def test_a_long_call_is_seen(self):
        sleepy = self.compile("sleepy.so", SLEEPY, "-shared", "-fPIC")
        sleeper = self.compile("sleeper", SLEEPER, "-fno-builtin")
        metrics = self.metrics([sleeper], f"sleepy={sleepy}")["sleepy"]
        self.assertGreater(metrics["malloc_call_max"]["median"], 20e6)
        self.assertGreater(metrics["malloc_call_over10us"]["median"], 20)
        self.assertLess(metrics["malloc_call_p99"]["median"], 20e6)

    def test_a_c_program_may_open_a_cpp_library(self):
        opened = self.compile("opened.so", OPENED, "-shared", "-fPIC", "-lstdc++", language="c++")
        for metrics in self.metrics([self.compile("opener", OPENER), opened]).values():
            self.assertGreater(metrics["malloc_calls"]["median"], 200)

    def test_wall_time_is_of_runs_without_timing(self):
        witness = self.folder / "witness"
        self.metrics(["sh", "-c", f"echo $LD_PRELOAD >> {witness}"], "jemalloc", runs=3)
        timed = ["libmmt-latency" in line for line in witness.read_text().splitlines()]
        self.assertEqual(timed[0], False, "nothing is timed in the warm-up")
        for index in (1, 3, 5):
            self.assertEqual(sorted(timed[index : index + 2]), [False, True], "one each in a round")

    def test_without_its_library(self):
        (self.folder / "bin").mkdir()
        binary = shutil.copy(MMT, self.folder / "bin" / "mmt")
        lab = pathlib.Path(__file__).resolve().parents[2] / "lab"
        env = clean_environment(MMT_LAB=lab)
        done = mmt("bench", "--latency", "--allocators", "glibc", "--", "true", binary=binary, env=env)
        self.assert_fails(done, 1, "there is no library", "libmmt-latency.so")

    def test_a_library_that_cannot_be_loaded_fails_the_pair(self):
        program = self.compile("blind", "int main(void) { return 0; }", "-static")
        done, report = self.bench("--runs", 1, "--latency", "--allocators", "glibc", "--", program)
        self.assertEqual(done.status, 1, done)
        self.assertIn("was not loaded into it", self.cell(report, "glibc")["problem"])


if __name__ == "__main__":
    main()
