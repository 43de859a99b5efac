// Code that no compiler made may call malloc and its kin with the stack pointer 8 bytes off. This
// holds for every size, by the first call of the process, in threads, in a fork's child, and back
// and forth.
// @only mmt layered

#include "support/unaligned_stack.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/pattern.h"

static void* first;
static void allocate_first(void) { first = (void*)UNALIGNED(malloc, 100, 0, 0); }
__attribute__((section(".preinit_array"),
               used)) static void (*const before_all)(void) = allocate_first;

static void use_size(size_t size) {
  char* p = (char*)UNALIGNED(malloc, size, 0, 0);
  EXPECT(p != NULL && UNALIGNED(malloc_usable_size, p, 0, 0) >= (long)size);
  fill_pattern(p, size, size);
  p = (char*)UNALIGNED(realloc, p, size + size / 2 + 40, 0);
  check_prefix(p, size, size, size);
  p = (char*)UNALIGNED(reallocarray, p, size / 3 + 1, 1);
  UNALIGNED(free, p, 0, 0);
  p = (char*)UNALIGNED(calloc, size, 1, 0);
  EXPECT(p[0] == 0 && p[size - 1] == 0);
  UNALIGNED(free, p, 0, 0);
  p = (char*)UNALIGNED(aligned_alloc, 4096, size, 0);
  EXPECT((uintptr_t)p % 4096 == 0);
  UNALIGNED(free, p, 0, 0);
  EXPECT(UNALIGNED(posix_memalign, &p, 1 << 20, size) == 0);
  UNALIGNED(free, p, 0, 0);
}

static void use_all(void) {
  for (size_t size = 1; size < (256u << 20);) {
    use_size(size);
    size += size < (1u << 20) ? size / 5 + 1 : 3 * size;
  }
  // Caches that run empty and over.
  enum { kMany = 20000 };
  static __thread void* many[kMany];
  for (size_t size = 16; size <= 8192; size *= 8) {
    for (int i = 0; i < kMany; ++i) many[i] = (void*)UNALIGNED(malloc, size, 0, 0);
    for (int i = 0; i < kMany; ++i) UNALIGNED(free, many[i], 0, 0);
  }
  EXPECT(UNALIGNED(malloc, (size_t)-1, 0, 0) == 0);
  EXPECT(UNALIGNED(calloc, 1ul << 40, 1ul << 40, 0) == 0);
  UNALIGNED(malloc_trim, 0, 0, 0);
}

static void* use_in_thread(void* unused) {
  use_all();
  return unused;
}

int main(void) {
  UNALIGNED(free, first, 0, 0);
  use_all();
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) EXPECT(pthread_create(&threads[i], NULL, use_in_thread, NULL) == 0);
  for (int i = 0; i < 3; ++i) EXPECT(pthread_join(threads[i], NULL) == 0);
  const pid_t child = fork();
  if (child == 0) {
    use_all();
    _exit(0);
  }
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0, "status %x", status);
  return 0;
}
