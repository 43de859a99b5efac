"""Programs whose calls the tests of `mmt trace` know."""

# Four threads that hand blocks to one another: what one allocates, another resizes or frees.
EXCHANGE = """
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
static int count;
static _Atomic(void*) slots[64];
static void* work(void* argument) {
  unsigned seed = (unsigned)(long)argument;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1103515245 + 12345;
    void* mine = atomic_exchange(&slots[seed / 65536 % 64], 0);
    if (mine != 0 && seed % 3 == 0) {
      void* moved = realloc(mine, 8 + seed / 65536 % 3000);
      free(moved);
    } else {
      free(mine);
    }
    free(atomic_exchange(&slots[seed / 65536 % 64], malloc(8 + seed / 65536 % 300)));
  }
  return 0;
}
int main(int argc, char** argv) {
  count = atoi(argv[1]);
  pthread_t threads[4];
  for (long i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, (void*)(i + 1));
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  for (int i = 0; i < 64; ++i) free(slots[i]);
  return 0;
}
"""
# What each thread does can be counted: 1000 of a size that nothing else asks for.
COUNTED = """
#include <pthread.h>
#include <stdlib.h>
static void* work(void* unused) {
  for (int i = 0; i < 1000; ++i) {
    void* volatile block = malloc(70001);
    block = realloc(block, 70002);
    free(block);
    block = calloc(70003, 1);
    free(block);
    void* aligned = 0;
    if (posix_memalign(&aligned, 256, 70004) != 0) abort();
    free(aligned);
  }
  return unused;
}
int main(int argc, char** argv) {
  int threads = atoi(argv[1]);
  int together = atoi(argv[2]);
  pthread_t thread[together];
  for (int done = 0; done < threads; done += together) {
    for (int i = 0; i < together; ++i) if (pthread_create(&thread[i], 0, work, 0) != 0) abort();
    for (int i = 0; i < together; ++i) pthread_join(thread[i], 0);
  }
  return 0;
}
"""
# A child frees and resizes what it inherits; another executes a program that allocates.
FAMILY = """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <string.h>
int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "child") == 0) {
    void* volatile block = malloc(60003);
    free(block);
    return 3;
  }
  void* volatile first = malloc(60001);
  void* volatile second = malloc(60002);
  if (fork() == 0) {
    free(first);
    second = realloc(second, 60005);
    void* volatile own = malloc(60004);
    free(own);
    _exit(0);
  }
  int status;
  wait(&status);
  if (vfork() == 0) {
    execl("/proc/self/exe", argv[0], "child", (char*)0);
    _exit(1);
  }
  wait(&status);
  free(first);
  free(second);
  return WEXITSTATUS(status);
}
"""
# Handlers that allocate, and every tenth of which never returns to what it interrupted.
HANDLERS = """
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
static sigjmp_buf back;
static volatile int handled, depth, is_safe;
static void handle(int signal) {
  (void)signal;
  if (depth == 3) return;  // else the stack ends where a handler takes longer than the timer's period
  int was_safe = is_safe;
  is_safe = 0;  // no handler of this handler's calls may leave them
  ++depth;
  void* volatile block = aligned_alloc(4096, 8192);
  free(block);
  --depth;
  is_safe = was_safe;
  if (++handled % 10 == 0 && was_safe) siglongjmp(back, 1);
}
int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_NODEFER};
  sigaction(SIGALRM, &action, 0);
  struct itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, 0);
  volatile long done = 0;
  sigsetjmp(back, 1);
  while (handled < 300) {
    is_safe = 0;
    void* volatile block = malloc(100);
    free(block);
    is_safe = 1;
    for (volatile int i = 0; i < 100; ++i) ++done;
    is_safe = 0;
  }
  return 0;
}
"""
CLOSER = """
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char** argv) {
  if (argc > 1) { void* volatile own = malloc(50002); free(own); return 0; }
  for (int i = 0; i < 1024; ++i) close(i);
  struct rlimit none = {0, 64};
  setrlimit(RLIMIT_NOFILE, &none);
  for (int i = 0; i < 2000; ++i) { void* volatile block = malloc(50001); free(block); }
  struct rlimit some = {64, 64};
  setrlimit(RLIMIT_NOFILE, &some);
  if (fork() == 0) {
    void* volatile block = malloc(50003);
    free(block);
    execl("/proc/self/exe", argv[0], "again", (char*)0);
    _exit(1);
  }
  wait(0);
  return 0;
}
"""
OPERATORS = """
#include <cstdint>
#include <cstdlib>
#include <new>
struct alignas(64) Wide { char bytes[40064]; };
int main() {
  for (int i = 0; i < 500; ++i) {
    char* volatile many = new char[40001];
    delete[] many;
    Wide* volatile wide = new Wide;
    delete wide;
    char* volatile careful = new (std::nothrow) char[40002];
    delete[] careful;
  }
  return 0;
}
"""
FLOOD = """
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char** argv) {
  puts("ready");
  fflush(stdout);
  getchar();
  for (long i = atol(argv[argc - 1]); i > 0; --i) { void* volatile block = malloc(33); free(block); }
  return 0;
}
"""
# Threads one after another, each of which allocates once.
QUEUE = """
#include <pthread.h>
#include <stdlib.h>
static void* work(void* unused) {
  void* volatile block = malloc(70009);
  free(block);
  return unused;
}
int main(int argc, char** argv) {
  for (long i = atol(argv[argc - 1]); i > 0; --i) {
    pthread_t thread;
    if (pthread_create(&thread, 0, work, 0) != 0) abort();
    pthread_join(thread, 0);
  }
  return 0;
}
"""
# Children that do little and end, of a parent with many blocks, of which it changes one each time.
BROOD = """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char** argv) {
  static void* kept[50000];
  for (int i = 0; i < 50000; ++i) kept[i] = malloc(16);
  for (int i = atoi(argv[argc - 1]); i > 0; --i) {
    free(kept[i]);
    kept[i] = malloc(17);
    if (fork() == 0) {
      free(kept[i]);
      _exit(0);
    }
    wait(0);
  }
  return 0;
}
"""
# Threads that allocate once, and stay until all have.
TOGETHER = """
#include <pthread.h>
#include <stdlib.h>
static pthread_barrier_t all;
static void* work(void* unused) {
  void* volatile block = malloc(70001);
  free(block);
  pthread_barrier_wait(&all);
  return unused;
}
int main(int argc, char** argv) {
  int count = atoi(argv[argc - 1]);
  pthread_t* threads = malloc(count * sizeof *threads);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 16);
  pthread_barrier_init(&all, 0, count);
  for (int i = 0; i < count; ++i) if (pthread_create(&threads[i], &small, work, 0) != 0) abort();
  for (int i = 0; i < count; ++i) pthread_join(threads[i], 0);
  return 0;
}
"""
# A child that frees what it inherits, behind much else that its parent does.
HEIR = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char** argv) {
  static void* kept[1000];
  for (int i = 0; i < 1000; ++i) kept[i] = malloc(60001);
  puts("ready");
  fflush(stdout);
  getchar();
  for (long i = atol(argv[argc - 1]); i > 0; --i) { void* volatile block = malloc(33); free(block); }
  if (fork() == 0) {
    for (int i = 0; i < 1000; ++i) free(kept[i]);
    _exit(0);
  }
  wait(0);
  write(1, "done", 4);
  close(1);
  return 0;
}
"""
# Three children, which outlive their parent until standard input ends.
ORPHANS = """
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  int born[2];
  if (pipe(born) != 0) return 1;
  for (int i = 0; i < 3; ++i) {
    if (fork() != 0) continue;
    void* volatile block = malloc(70002);
    char byte = 'x';
    write(born[1], &byte, 1);
    read(0, &byte, 1);
    free(block);
    return 0;
  }
  char byte;
  for (int i = 0; i < 3; ++i) read(born[0], &byte, 1);
  return 0;
}
"""
SLEEPER = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 5000; ++i) { void* volatile block = malloc(44); free(block); }
  puts("done");
  fflush(stdout);
  pause();
}
"""
# Entries of libc that may call one another, each of a size of its own, 100 times.
ENTRIES = """
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
static char text[20011];
int main(void) {
  memset(text, 'x', sizeof text - 1);
  for (int i = 0; i < 100; ++i) {
    void* block = 0;
    if (posix_memalign(&block, 64, 20001) != 0) abort();
    free(block);
    free(aligned_alloc(2, 20002));
    free(memalign(64, 20003));
    free(valloc(20004));
    free(pvalloc(20005));
    free(calloc(20006, 1));
    free(reallocarray(0, 20007, 1));
    free(strdup(text));
    block = realloc(realloc(0, 20008), 20009);
    block = reallocarray(block, 20012, 2);
    // It fails, and the block stays.
    if (reallocarray(block, (size_t)1 << 30, (size_t)1 << 30) != 0) abort();
    free(block);
  }
  return 0;
}
"""
# Calls of which others are made, or might be; each in a function of its own.
INDIRECT = """
#include <stdlib.h>
#include <new>
#define APART __attribute__((noinline))
extern "C" {
APART void* of_array() { void* volatile block = reallocarray(0, 70001, 1); return block; }
APART void of_nothing() { ::operator delete(nullptr); }
APART void* of_malloc() { void* volatile block = malloc(70002); return block; }
APART void of_failure() { void* volatile block = realloc(0, (size_t)1 << 60); (void)block; }
APART void* of_calloc() { void* volatile block = calloc(70003, 1); return block; }
APART void* of_new() { void* volatile block = ::operator new(70004); return block; }
}
int main() {
  free(of_array());
  of_nothing();
  free(of_malloc());
  of_failure();
  free(of_calloc());
  ::operator delete(of_new());
}
"""
