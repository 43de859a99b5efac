// The program itself chooses a function by code that allocates, after the allocator has been
// relocated and before anything is initialised.

#include <malloc.h>

#include "support/pattern.h"

// The program's own calls by the table of calls do not work yet.
static void* (*const volatile of_malloc)(size_t) = malloc;
static void* (*const volatile of_calloc)(size_t, size_t) = calloc;
static void* (*const volatile of_realloc)(void*, size_t) = realloc;
static void* (*const volatile of_aligned_alloc)(size_t, size_t) = aligned_alloc;
static void (*const volatile of_free)(void*) = free;

static char* kept;

static int one(void) { return 1; }

static int (*choose(void))(void) {
  of_free(NULL);
  for (size_t size = 1; size < (1 << 21); size = size * 2 + 1) {
    volatile char* block = of_malloc(size);
    for (size_t i = 0; i < size; i += 100) block[i] = 1;
    of_free(of_realloc((void*)block, size * 2));
    of_free(of_calloc(size, 2));
    of_free(of_aligned_alloc(64, size));
  }
  kept = of_malloc(10);
  kept[0] = 'k';
  return one;
}

static int variant(void) __attribute__((ifunc("choose")));
int (*const volatile asked_for)(void) = variant;

int main(void) {
  EXPECT(asked_for() == 1 && variant() == 1);
  EXPECT(kept[0] == 'k' && malloc_usable_size(kept) >= 10);
  kept = realloc(kept, 100000);
  EXPECT(kept[0] == 'k');
  free(kept);
  return 0;
}
