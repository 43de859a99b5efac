// The library for early_calls.c has a function that is chosen by code that allocates, and it keeps
// some of the blocks. The choice is made while lib_early_user.c is relocated, which asks for the
// function's address.

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kKept = 40, kOfEach = 8 };

char* early_kept[kKept];
size_t early_sizes[kKept];
int early_wrong;

static int is_zero(const char* p, size_t size) {
  while (size != 0 && p[size - 1] == 0) --size;
  return size == 0;
}

static void use(char* p, size_t size, size_t alignment) {
  if (p == NULL || (unsigned long)p % alignment != 0 || malloc_usable_size(p) < size)
    early_wrong = 1;
  memset(p, 0x5a, size);
}

static void allocate_all(void) {
  free(NULL);
  for (int i = 0; i < kKept; ++i) {
    const size_t size = (size_t)1 << (i % 21);  // to 1 MiB
    early_sizes[i] = size;
    early_kept[i] = malloc(size);
    use(early_kept[i], size, 16);
  }
  for (int i = 0; i < kOfEach; ++i) {
    const size_t size = 7 + (size_t)i * i * 1000;
    char* zeroed = calloc(size, 3);
    if (!is_zero(zeroed, size * 3)) early_wrong = 2;
    use(zeroed, size * 3, 16);
    zeroed = realloc(zeroed, size * 9);
    if (zeroed[0] != 0x5a || zeroed[size * 3 - 1] != 0x5a) early_wrong = 3;
    free(realloc(zeroed, size / 2 + 1));
    char* aligned = aligned_alloc(256, size);
    use(aligned, size, 256);
    free(aligned);
    aligned = memalign(4096, size);
    use(aligned, size, 4096);
    free(aligned);
    void* of_posix = NULL;
    if (posix_memalign(&of_posix, 64, size) != 0) early_wrong = 4;
    use(of_posix, size, 64);
    free(of_posix);
    char* of_null = reallocarray(NULL, size, 2);
    use(of_null, size * 2, 16);
    if (realloc(of_null, 0) != NULL) early_wrong = 5;
    char* copy = strdup("variant=one");
    if (strcmp(copy, "variant=one") != 0) early_wrong = 6;
    free(copy);
  }
  if (calloc((size_t)-1, 16) != NULL) early_wrong = 7;
  // Nor do other calls that an allocator may see need to wait.
  char* pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages, 4096, PROT_READ) != 0) early_wrong = 9;
  pages = mremap(pages + 4096, 4096, 8192, MREMAP_MAYMOVE);
  if (pages == MAP_FAILED || madvise(pages, 8192, MADV_DONTNEED) != 0) early_wrong = 10;
  if (munmap(pages, 8192) != 0) early_wrong = 11;
  if (syscall(SYS_getpid) != getpid() || prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) < 0) early_wrong = 12;
  // What is freed serves again: it is not all that there is.
  for (int i = 0; i < 3000; ++i) {
    char* block = malloc(1 << 20);
    if (block == NULL) early_wrong = 8;
    free(block);
  }
}

static int one(void) { return 1; }

static int (*choose(void))(void) {
  allocate_all();
  return one;
}

int early_variant(void) __attribute__((ifunc("choose")));
