// The library for deepbind.c has a scope of its own that comes before the program's. All its calls
// of malloc's family are by name, and one of them comes before dlopen returns.

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void* early_block;

__attribute__((constructor)) static void allocate_early(void) {
  early_block = malloc(77);
  memset(early_block, 7, 77);
  free(strdup("early"));
}

void* give_block(int way, size_t size) {
  void* p = NULL;
  switch (way) {
    case 0:
      p = malloc(size);
      break;
    case 1:
      p = calloc(size, 1);
      break;
    case 2:
      p = realloc(NULL, size);
      break;
    case 3:
      p = memalign(64, size);
      break;
    case 4:
      p = aligned_alloc(64, size);
      break;
    case 5:
      if (posix_memalign(&p, 64, size) != 0) p = NULL;
      break;
    case 6:
      p = valloc(size);
      break;
    case 7:
      p = reallocarray(NULL, size, 1);
      break;
    default:
      if (asprintf((char**)&p, "%*d", (int)size, 5) < 0) p = NULL;
  }
  return p;
}
void take_block(void* p) { free(p); }
void* resize_block(void* p, size_t size) { return realloc(p, size); }
size_t size_of_block(void* p) { return malloc_usable_size(p); }
char* copy_text(const char* text) { return strdup(text); }
